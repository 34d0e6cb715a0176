import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { DispatcherOptions } from "../lanes/context.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";

/** A problem that stays is written once in this time. */
const againMs = 60_000;
const mostRemembered = 1_000;

/** Writes at endpoints why their filters failed, which their owners read there. */
export function filterProblems(
  endpoints: Pick<Store<StoredEndpoint>, "update">,
  logger: Pick<DispatcherOptions["logger"], "error">,
): (laneId: string, problem: string) => void {
  const written = new Map<string, number>();
  return (laneId, message) => {
    const now = Date.now();
    if (now - (written.get(laneId) ?? 0) < againMs) return;
    if (written.size >= mostRemembered) written.clear();
    written.set(laneId, now);
    endpoints
      .update(laneId, { $set: { filterProblem: { message, at: new Date(now).toISOString() } } })
      .catch(error => logEvent(logger, "webhook_store.failed", { error }));
  };
}
