import type { WebhookRoom } from "./room.ts";

/**
 * Events that wait in the lanes of this node's shards. Those of endpoints that fail are left out: more nodes would not
 * deliver them sooner. A lane that is not in memory has none.
 */
export async function laneLag({
  dispatcher,
  journal,
  log,
}: {
  dispatcher: Pick<WebhookRoom["dispatcher"], "busy">;
  journal: Pick<WebhookRoom["journal"], "lane">;
  log: Pick<WebhookRoom["log"], "bounds">;
}): Promise<number> {
  const lags = await Promise.all(
    dispatcher.busy.map(async keyId => {
      const { latest } = await log.bounds(keyId);
      const lane = journal.lane(keyId);
      if (!lane || lane.status === "FAILED" || lane.streak.length > 0) return 0;
      return Math.max(0, latest - lane.position - lane.settled.length);
    }),
  );
  return lags.reduce((sum, lag) => sum + lag, 0);
}
