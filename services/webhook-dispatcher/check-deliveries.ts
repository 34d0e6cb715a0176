import type { Finding } from "../contracts/health.contract.ts";
import { laneShards } from "../domain/delivery/shard.ts";
import type { WebhookRoom } from "./room.ts";

/** What is looked at. */
export interface Checked {
  journal: Pick<WebhookRoom["journal"], "problem">;
  lanes: Pick<WebhookRoom["lanes"], "count">;
  dispatcher: Pick<WebhookRoom["dispatcher"], "shards">;
}

/**
 * What an operator wants to know: whether outcomes can be recorded, since without that nothing is delivered for long,
 * whether this node has lanes to work, and how many endpoints are FAILED. Those are their owners' concern: a pile of
 * them is no fault of this room.
 */
export async function checkDeliveries(
  { journal, lanes, dispatcher }: Checked,
  onFault: (error: unknown) => void,
): Promise<Finding[]> {
  const share = shareOf(dispatcher.shards.length);
  try {
    const failed = await lanes.count({ status: "FAILED" });
    if ((await journal.problem()) === undefined)
      return [{ name: "journal", status: "ok" }, share, endpoints(failed)];
  } catch (error) {
    onFault(error);
  }
  const detail =
    "The outcomes of deliveries cannot be recorded: look after the database or, without one, after the disk, its free space and the permissions of DATA_DIR.";
  return [{ name: "journal", status: "missing", detail }, share];
}

function shareOf(shards: number): Finding {
  if (shards === laneShards) return { name: "lanes", status: "ok" };
  if (shards > 0)
    return { name: "lanes", status: "ok", detail: `This node works ${shards} of ${laneShards} shards.` };
  const detail =
    "This node delivers nothing: no shard of the lanes is leased to it. It takes its share within 15 s, when Redis answers.";
  return { name: "lanes", status: "degraded", detail };
}

function endpoints(failed: number): Finding {
  if (failed === 0) return { name: "endpoints", status: "ok" };
  const detail = `${failed} FAILED; their events are kept for 72 hours. POST or PATCH /webhook delivers them.`;
  return { name: "endpoints", status: "ok", detail };
}
