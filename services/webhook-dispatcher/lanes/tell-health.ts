import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { pagesOf } from "../../../mixins/store/pages.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { failureClasses } from "../../contracts/failure-classes.ts";
import { afterTelling } from "../../domain/delivery/endpoint-health.ts";
import { type HealthChange, keyOf } from "../../domain/delivery/lane.ts";
import type { Journal } from "../journal/journal.ts";
import type { StoredEndpoint, StoredLane } from "../webhooks.store.ts";

/** What telling works with. */
interface Telling {
  lanes: Store<StoredLane>;
  endpoints: Store<StoredEndpoint>;
  journal: Pick<Journal, "write">;
  log: Pick<EventLog, "append">;
  /** Called after the lane of the endpoint was changed. */
  changed(endpoint: StoredEndpoint): void;
}

const pageSize = 100;

/**
 * Appends what became of endpoints to the logs of their keys, and takes it off their lanes. After a crash between the two it
 * is appended again under the same id, which makes no second event.
 */
export async function tellHealth(telling: Telling, signal: AbortSignal): Promise<void> {
  const query = { hasUntold: true } as const;
  for await (const lanes of pagesOf(telling.lanes, { query, limit: pageSize, signal }))
    for (const lane of lanes) await tellOf(telling, lane);
}

async function tellOf({ endpoints, journal, log, changed }: Telling, lane: StoredLane): Promise<void> {
  const endpoint = await endpoints.findById(lane._id);
  const { untold = [] } = lane;
  if (!endpoint) return;
  const keyIds = [keyOf(lane._id)];
  await log.append(untold.map(change => ({ ...eventOf(endpoint, change), keyIds })));
  await journal.write(lane._id, batch => {
    const current = batch.lane(lane._id);
    if (current) batch.setLane(lane._id, afterTelling(current, untold));
  });
  changed(endpoint);
}

/** The event, without its address: the path of a URL may hold a secret. */
function eventOf({ webhookId, name, url }: StoredEndpoint, change: HealthChange) {
  const { state, at, since, status, error } = change;
  return {
    bodyId: `endpoint.${state}:${webhookId}:${at}`,
    type: `endpoint.${state}` as const,
    timestamp: new Date(at).toISOString(),
    data: {
      source: null,
      endpoint: { id: webhookId, name: name ?? null, host: hostOf(url) },
      reason: reasonOf(change),
      failing_since: since === undefined ? null : new Date(since).toISOString(),
      http_status: status,
      error,
    },
  };
}

function hostOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return protocol === "mailto:" ? decodeURIComponent(pathname).replace(/^.*@/, "") : host;
}

function reasonOf({ state, status, error }: HealthChange): string {
  if (state === "recovered") return "It takes events again.";
  const why = `the last attempt failed: ${wordsOf(status, error)}`;
  if (state === "failing") return `It has taken no event in several attempts; ${why}.`;
  return `Nothing more is sent until it is changed or enabled; ${why}. Its events are kept for 72 hours or longer.`;
}

function wordsOf(status: number | null, error: string | null): string {
  const known: Record<string, string> = failureClasses;
  if (error !== null && known[error]) return known[error];
  return status === null ? "there was no answer" : `the answer was ${status}`;
}
