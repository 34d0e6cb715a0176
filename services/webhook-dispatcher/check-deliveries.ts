import type { Finding } from "../contracts/health.contract.ts";
import type { WebhookRoom } from "./room.ts";

/**
 * What an operator wants to know: whether outcomes can be recorded, since without that nothing is delivered for long,
 * and how many endpoints are FAILED. Those are their owners' concern: a pile of them is no fault of this room.
 */
export async function checkDeliveries(
  {
    journal,
    lanes,
  }: { journal: Pick<WebhookRoom["journal"], "problem">; lanes: Pick<WebhookRoom["lanes"], "count"> },
  onFault: (error: unknown) => void,
): Promise<Finding[]> {
  try {
    const failed = await lanes.count({ status: "FAILED" });
    if (journal.problem === undefined) return [{ name: "journal", status: "ok" }, endpoints(failed)];
  } catch (error) {
    onFault(error);
  }
  const detail =
    "The outcomes of deliveries cannot be recorded: look after the disk, its free space and the permissions of DATA_DIR.";
  return [{ name: "journal", status: "missing", detail }];
}

function endpoints(failed: number): Finding {
  if (failed === 0) return { name: "endpoints", status: "ok" };
  const detail = `${failed} FAILED; their events are kept for 72 hours. POST or PATCH /webhook delivers them.`;
  return { name: "endpoints", status: "ok", detail };
}
