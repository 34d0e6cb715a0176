import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { findPage, findPicked } from "../../../mixins/store/pages.ts";
import type { Query, Store } from "../../../mixins/store/store.ts";
import type { Delivery, KeyDelivery } from "../../contracts/deliveries.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { WebhookContext } from "../context.ts";
import { failedAs, type StoredDelivery, type StoredEndpoint } from "../webhooks.store.ts";
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
  const { rows, next_cursor } =
    event_id === undefined
      ? await findAttempts(deliveries, { keyId }, wanted)
      : await pickAttempts(deliveries, { event_id }, { ...wanted, among: each => each.keyId === keyId });
  return { data: rows.map(describe), next_cursor, message: "Deliveries listed." };
}

/** Lists the attempts of one endpoint. */
export async function listEndpointDeliveries(
  { endpoints, deliveries }: Deliveries & Pick<WebhookContext, "endpoints">,
  keyId: string,
  { id, event_id, ...wanted }: Wanted & { id: string; event_id?: string },
): Promise<Page<Delivery>> {
  const endpoint = await findEndpoint({ endpoints }, keyId, id);
  const among = (each: StoredDelivery) => isOf(each, keyId, endpoint);
  const { rows, next_cursor } = await pickAttempts(deliveries, queryOf(keyId, endpoint, wanted, event_id), {
    ...wanted,
    among,
  });
  return { data: rows.map(describe), next_cursor, message: "Deliveries listed." };
}

/** What an index finds of an endpoint's attempts. */
function queryOf(
  keyId: string,
  endpoint: StoredEndpoint,
  { status }: Wanted,
  event_id: string | undefined,
): AttemptQuery {
  if (event_id !== undefined) return { event_id };
  if (status !== undefined && status !== "succeeded") return { keyId, failedAs: status };
  return endpoint.keyId === undefined ? { keyId } : { endpoint: endpoint.webhookId };
}

/** Whether an attempt went to this endpoint of the key. Attempts of notices went to none. */
export function isOf(
  delivery: StoredDelivery,
  keyId: string,
  { webhookId, keyId: further }: StoredEndpoint,
): boolean {
  if (delivery.keyId !== keyId) return false;
  return further === undefined ? delivery.webhookId === webhookId : delivery.endpoint === webhookId;
}

/** Lists the attempts of all keys, or of one. */
export async function listAllDeliveries(
  { deliveries }: Deliveries,
  { key_id: keyId, ...wanted }: Wanted & { key_id?: string },
): Promise<Page<KeyDelivery>> {
  const query = keyId === undefined ? {} : { keyId };
  const { rows, next_cursor } = await findAttempts(deliveries, query, wanted);
  const data = rows.map(delivery => ({ ...describe(delivery), key_id: delivery.keyId }));
  return { data, next_cursor, message: "Deliveries listed." };
}

type AttemptQuery = Query<StoredDelivery>;

type Found = Promise<{ rows: StoredDelivery[]; next_cursor: string | null }>;

/** Failures have an index. Among all attempts successes are many, so a page of them is soon together. */
async function findAttempts(
  deliveries: Store<StoredDelivery>,
  query: { keyId?: string },
  wanted: Wanted,
): Found {
  if (wanted.status === "succeeded") return await pickAttempts(deliveries, query, wanted);
  const { status, ...place } = wanted;
  const all = { ...query, ...(status && failedAs(status)) };
  const { page, next_cursor } = await findPage(deliveries, { ...place, query: all, descending: true });
  return { rows: page, next_cursor };
}

/** Attempts that are read and compared, a bounded number at a time. */
const chunk = 200;

/** What no index selects: a page may be short before the end, where failures stand together. */
function pickAttempts(
  deliveries: Store<StoredDelivery>,
  query: AttemptQuery,
  { status, among = () => true, ...place }: Wanted & { among?: (delivery: StoredDelivery) => boolean },
): Found {
  const fits = (delivery: StoredDelivery) =>
    (status === undefined || delivery.outcome === status) && among(delivery);
  return findPicked<StoredDelivery, StoredDelivery>(deliveries, {
    ...place,
    query,
    descending: true,
    chunk,
    pick: async page => page.map(delivery => (fits(delivery) ? delivery : undefined)),
  });
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
  deliveries: Store<StoredDelivery>,
  keyId: string,
  id: string,
): Promise<StoredDelivery> {
  const delivery = await deliveries.findById(id);
  if (delivery?.keyId !== keyId) throw unknownDelivery();
  return delivery;
}

export function unknownDelivery(): Error {
  return fail("not_found", "There is no delivery with this id. Deliveries are kept for 72 hours.");
}

/** The event of an attempt; null when the log holds it no more, or never did. */
export async function eventOf(
  log: Pick<EventLog, "readWithin">,
  { keyId, seq, event_id }: StoredDelivery,
): Promise<WrittenEvent | null> {
  if (seq === undefined) return null;
  const { events } = await log.readWithin(keyId, seq - 1, { events: 1, bytes: 0 });
  // After an expired event the log continues with a later one.
  return events.find(({ id }) => id === event_id) ?? null;
}

function describe({ _id, seq, url, webhookId, endpoint, ...delivery }: StoredDelivery): Delivery {
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
