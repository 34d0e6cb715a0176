import { randomUUID } from "node:crypto";
import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { eventId } from "../../../mixins/event-log/stored-event.ts";
import { keyOf, markDone } from "../../domain/delivery/lane.ts";
import type { WebhookContext } from "../context.ts";
import { listAlone } from "../journal/attempt-list.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { noWebhook } from "./endpoints.ts";
import { unlessStopped } from "./list-endpoints.ts";
import { attemptOf, sendAlone } from "./retry-delivery.ts";

interface Tested {
  data: { event_id: string };
  message: string;
}

/**
 * Appends a `webhook.test` event to the key's log for this endpoint; it is delivered like any other. Where others wait for
 * a digest it is sent at once, by itself: who tests an address does not wait for a day.
 */
export async function testWebhook(context: WebhookContext, laneId: string, now: Date): Promise<Tested> {
  const { endpoints, lanes, log } = context;
  const endpoint = await endpoints.findById(laneId);
  if (!endpoint) throw noWebhook();
  const keyId = keyOf(laneId);
  const bodyId = `webhook.test:${randomUUID()}`;
  const timestamp = now.toISOString();
  const data = { source: null, webhook_id: endpoint.webhookId };
  const { latest } = await log.bounds(keyId);
  await log.append([{ bodyId, type: "webhook.test", timestamp, data, keyIds: [keyId] }]);
  const id = eventId(keyId, bodyId, timestamp);
  const lane = await lanes.findById(laneId);
  const event =
    endpoint.digest && lane?.status === "ACTIVE" ? await find(context, keyId, latest, id) : undefined;
  const message = event
    ? await sendAhead(context, endpoint, event)
    : unlessStopped(lane, "The test event is on its way.");
  return { data: { event_id: id }, message };
}

const portion = { events: 100, bytes: 1_000_000 };

async function find(
  { log }: Pick<WebhookContext, "log">,
  keyId: string,
  after: number,
  id: string,
): Promise<WrittenEvent | undefined> {
  for (let from = after; ; ) {
    const { events, more } = await log.readWithin(keyId, from, portion);
    const found = events.find(event => event.id === id);
    if (found || !more) return found;
    from = events.at(-1)?.seq ?? from;
  }
}

/** Sends one event of a digest by itself; what fails stays in the digest. */
async function sendAhead(
  context: WebhookContext,
  endpoint: StoredEndpoint,
  event: WrittenEvent,
): Promise<string> {
  const { journal, dispatcher, deliveries, onAttempted } = context;
  const { _id: laneId } = endpoint;
  const started = Date.now();
  const answer = await sendAlone(context, endpoint, event, started);
  const { id: event_id, type, seq } = event;
  const times = { attempt: 1, started, ended: Date.now() };
  const made = attemptOf({ keyId: keyOf(laneId), event_id, type, seq }, endpoint, answer, times);
  onAttempted(made);
  if (answer.error !== null) {
    await listAlone(deliveries, made);
    const said = answer.status === null ? "did not answer" : `answered ${answer.status}`;
    return `The mail server ${said}, so the test event comes with the next digest.`;
  }
  await journal.write(laneId, batch => {
    const lane = batch.lane(laneId);
    if (lane) batch.setLane(laneId, markDone(lane, [seq]));
  });
  await listAlone(deliveries, made);
  dispatcher.changed(endpoint);
  return "The test event was sent by itself; the digest keeps its time.";
}
