import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import type { Query } from "../../../mixins/store/store.ts";
import type { Delivery, KeyDelivery } from "../../contracts/deliveries.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { WebhookContext } from "../context.ts";
import { type Found, findAttempt, findAttempts, findOfEvent } from "../journal/find-attempts.ts";
import { failedAs, type ListedAttempt, type StoredAttempts, type StoredEndpoint } from "../webhooks.store.ts";
import { findEndpoint } from "./list-endpoints.ts";

interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
  message: string;
}

interface Wanted {
  status?: Delivery["outcome"];
  cursor?: string;
  limit: number;
}

type Deliveries = Pick<WebhookContext, "deliveries">;

/** Attempts for one key, newest first. The next page starts after the last one of this page, so new attempts do not shift it. */
export async function listDeliveries(
  { deliveries }: Deliveries,
  keyId: string,
  { event_id, ...wanted }: Wanted & { event_id?: string },
): Promise<Page<Delivery>> {
  const { attempts, next_cursor } =
    event_id === undefined
      ? await attemptsWith(deliveries, { keyId }, wanted)
      : await findOfEvent(deliveries, keyId, { ...wanted, event_id, fits: ended(wanted) });
  return { data: attempts.map(describe), next_cursor, message: "Deliveries listed." };
}

/** Lists the attempts of one endpoint. */
export async function listEndpointDeliveries(
  { endpoints, deliveries }: Deliveries & Pick<WebhookContext, "endpoints">,
  keyId: string,
  { id, event_id, ...wanted }: Wanted & { id: string; event_id?: string },
): Promise<Page<Delivery>> {
  const endpoint = await findEndpoint({ endpoints }, keyId, id);
  const hasEnded = ended(wanted);
  const fits = (row: StoredAttempts) => hasEnded(row) && isOf(row, keyId, endpoint);
  const { attempts, next_cursor } =
    event_id === undefined
      ? await findAttempts(deliveries, { ...wanted, query: queryOf(keyId, endpoint, wanted), fits })
      : await findOfEvent(deliveries, keyId, { ...wanted, event_id, fits });
  return { data: attempts.map(describe), next_cursor, message: "Deliveries listed." };
}

/** What an index finds of an endpoint's attempts. */
function queryOf(keyId: string, endpoint: StoredEndpoint, { status }: Wanted): Query<StoredAttempts> {
  if (status !== undefined && status !== "succeeded") return { keyId, failedAs: status };
  return endpoint.keyId === undefined ? { keyId } : { endpoint: endpoint.webhookId };
}

/** Whether an attempt went to this endpoint of the key. Attempts of notices went to none. */
export function isOf(
  attempt: Pick<ListedAttempt, "keyId" | "webhookId" | "endpoint">,
  keyId: string,
  { webhookId, keyId: further }: StoredEndpoint,
): boolean {
  if (attempt.keyId !== keyId) return false;
  return further === undefined ? attempt.webhookId === webhookId : attempt.endpoint === webhookId;
}

/** Lists the attempts of all keys, or of one. */
export async function listAllDeliveries(
  { deliveries }: Deliveries,
  { key_id: keyId, ...wanted }: Wanted & { key_id?: string },
): Promise<Page<KeyDelivery>> {
  const query = keyId === undefined ? {} : { keyId };
  const { attempts, next_cursor } = await attemptsWith(deliveries, query, wanted);
  const data = attempts.map(attempt => ({ ...describe(attempt), key_id: attempt.keyId }));
  return { data, next_cursor, message: "Deliveries listed." };
}

/** Failures have an index. Among all attempts successes are many, so a page of them is soon together. */
function attemptsWith(
  deliveries: Deliveries["deliveries"],
  query: { keyId?: string },
  wanted: Wanted,
): Promise<Found> {
  const { status } = wanted;
  return status === "succeeded"
    ? findAttempts(deliveries, { ...wanted, query, fits: ended(wanted) })
    : findAttempts(deliveries, { ...wanted, query: { ...query, ...(status && failedAs(status)) } });
}

/** Whether the attempts of a row have the wanted outcome. */
function ended({ status }: Wanted): (row: StoredAttempts) => boolean {
  return ({ outcome }) => status === undefined || outcome === status;
}

/** Shows an attempt, with the event as it was sent. */
export async function showDelivery(
  { deliveries, log }: Pick<WebhookContext, "deliveries" | "log">,
  keyId: string,
  id: string,
): Promise<{ data: Delivery & { body: Record<string, unknown> | null }; message: string }> {
  const delivery = await findDelivery(deliveries, keyId, id);
  const event = await eventOf(log, delivery);
  return {
    data: { ...describe(delivery), body: event && JSON.parse(event.json) },
    message: "Delivery found.",
  };
}

/** Throws 404 for an unknown attempt and for another key's. */
export async function findDelivery(
  deliveries: Deliveries["deliveries"],
  keyId: string,
  id: string,
): Promise<ListedAttempt> {
  const attempt = await findAttempt(deliveries, id);
  if (attempt?.keyId !== keyId) throw unknownDelivery();
  return attempt;
}

export function unknownDelivery(): Error {
  return fail("not_found", "There is no delivery with this id. Deliveries are kept for 72 hours.");
}

/** The event of an attempt; null when the log holds it no more, or never did. */
export async function eventOf(
  log: Pick<EventLog, "readWithin">,
  { keyId, seq, event_id }: ListedAttempt,
): Promise<WrittenEvent | null> {
  if (seq === undefined) return null;
  const { events } = await log.readWithin(keyId, seq - 1, { events: 1, bytes: 0 });
  // After an expired event the log continues with a later one.
  return events.find(({ id }) => id === event_id) ?? null;
}

function describe({ _id, seq, url, webhookId, endpoint, ...delivery }: ListedAttempt): Delivery {
  const { event_id, type, attempt, outcome, http_status, error, duration_ms, answer, at } = delivery;
  return {
    id: _id,
    webhook_id: endpoint ?? webhookId ?? null,
    event_id,
    type,
    seq: seq ?? null,
    url,
    attempt,
    outcome,
    http_status,
    error,
    duration_ms,
    answer,
    at,
  };
}
