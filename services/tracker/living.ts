import type { Service } from "moleculer";
import type { Bearer } from "./bearer.ts";
import { endOwn, watchForDead } from "./end-dead.ts";
import type { TrackerRoom } from "./room.ts";

/** Who lives, and what is told when there may be more to take. */
export interface Living {
  room: TrackerRoom;
  bearer: Bearer;
  logger: Service["logger"];
  wake(): void;
}

/** Goes on living until the signal, and watches for those who do not. */
export async function live({ room, bearer, logger, wake }: Living, signal: AbortSignal): Promise<void> {
  const onError = (error: unknown) => logger.warn("leases.out_of_reach", { error });
  await Promise.all([
    bearer.live(signal, wake, onError),
    watchForDead(room, bearer, { signal, onFreed: wake, onError }),
  ]);
}

/** Who cannot say that it leaves is found dead. */
export async function leave({ room, bearer, logger }: Living): Promise<void> {
  try {
    await endOwn(room, bearer);
  } catch (error) {
    logger.warn("leases.not_ended", { error });
  }
}
