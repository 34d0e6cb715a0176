import { randomUUID } from "node:crypto";
import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { eventId } from "../../../mixins/event-log/stored-event.ts";
import { findPage, findPicked } from "../../../mixins/store/pages.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { Delivery, KeyDelivery } from "../../contracts/deliveries.contract.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import { replayAfter } from "../../domain/delivery/lane.ts";
import type { WebhookContext } from "../context.ts";
import { failedAs, type StoredDelivery } from "../webhooks.store.ts";
import { noWebhook, unlessFailed } from "./endpoints.ts";

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
      : await pickAttempts(deliveries, { event_id }, { ...wanted, keyId });
  return { data: rows.map(describe), next_cursor, message: "Deliveries listed." };
}

/** The same for all keys, or one. */
export async function listAllDeliveries(
  { deliveries }: Deliveries,
  { key_id: keyId, ...wanted }: Wanted & { key_id?: string },
): Promise<Page<KeyDelivery>> {
  const query = keyId === undefined ? {} : { keyId };
  const { rows, next_cursor } = await findAttempts(deliveries, query, wanted);
  const data = rows.map(delivery => ({ ...describe(delivery), key_id: delivery.keyId }));
  return { data, next_cursor, message: "Deliveries listed." };
}

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
  query: { keyId?: string; event_id?: string },
  { status, keyId, ...place }: Wanted & { keyId?: string },
): Found {
  const fits = (delivery: StoredDelivery) =>
    (status === undefined || delivery.outcome === status) &&
    (keyId === undefined || delivery.keyId === keyId);
  return findPicked<StoredDelivery, StoredDelivery>(deliveries, {
    ...place,
    query,
    descending: true,
    chunk,
    pick: async page => page.map(delivery => (fits(delivery) ? delivery : undefined)),
  });
}

/** One attempt, with the event as it was sent. */
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
  if (delivery?.keyId !== keyId)
    throw fail("not_found", "There is no delivery with this id. Deliveries are kept for 72 hours.");
  return delivery;
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

function describe({ _id, seq, url, ...delivery }: StoredDelivery): Delivery {
  const { event_id, type, attempt, outcome, http_status, error, duration_ms, answer, at } = delivery;
  return {
    id: _id,
    event_id,
    type,
    seq: seq ?? null,
    url: url ?? null,
    attempt,
    outcome,
    http_status,
    error,
    duration_ms,
    answer,
    at,
  };
}

const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Delivers the retained events since a time again, dead ones too. */
export async function replayWebhook(
  { endpoints, journal, dispatcher, log }: WebhookContext,
  keyId: string,
  since: string,
  now: number,
): Promise<{ data: { events: number }; message: string }> {
  const time = isoTime.test(since) && isInCalendar(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time)) throw invalid("since", "dateTime", "`since` must be an ISO 8601 time.");
  if (time > now) throw invalid("since", "dateTime", "`since` must be in the past.");
  const endpoint = await endpoints.findById(keyId);
  if (!endpoint) throw noWebhook();
  const position = await log.positionAt(keyId, new Date(time));
  const { latest } = await log.bounds(keyId);
  const replayed = await journal.write(keyId, batch => {
    const lane = batch.lane(keyId);
    if (lane) batch.setLane(keyId, replayAfter(lane, position));
    return lane;
  });
  if (!replayed) throw noWebhook();
  dispatcher.changed(endpoint);
  const events = Math.max(latest - position, 0);
  return {
    data: { events },
    message: unlessFailed(replayed, "These events will be delivered again, in order."),
  };
}

/** The date parser would accept 30 February as a day in March. */
function isInCalendar(time: string): boolean {
  const day = time.slice(0, 10);
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** Appends a `webhook.test` event to the key's log; it is delivered like any other. */
export async function testWebhook(
  { endpoints, lanes, log }: WebhookContext,
  keyId: string,
  now: Date,
): Promise<{ data: { event_id: string }; message: string }> {
  if (!(await endpoints.findById(keyId))) throw noWebhook();
  const bodyId = `webhook.test:${randomUUID()}`;
  const timestamp = now.toISOString();
  await log.append([{ bodyId, type: "webhook.test", timestamp, data: { source: null }, keyIds: [keyId] }]);
  const message = unlessFailed(await lanes.findById(keyId), "The test event is on its way.");
  return { data: { event_id: eventId(keyId, bodyId, timestamp) }, message };
}
