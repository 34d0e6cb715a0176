import { atOnce, type TrackerRoom } from "./room.ts";
import { unsubscribe } from "./unsubscribe.ts";

const chunk = 200;

/** Ends all tracking of a key that is no more, and drops its log. */
export async function forgetKey(room: TrackerRoom, keyId: string): Promise<void> {
  for (;;) {
    const some = await room.subscriptions.find({ query: { keyId }, limit: chunk });
    if (some.length === 0) break;
    await atOnce(room, steps => {
      for (const subscription of some) unsubscribe(steps, subscription);
    });
  }
  await atOnce(room, ({ tallies }) => tallies.removeById(keyId));
  await room.log.drop(keyId);
}
