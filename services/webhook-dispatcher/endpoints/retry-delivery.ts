import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { fail } from "../../contracts/errors.ts";
import type { WebhookContext } from "../context.ts";
import { deliveryOptionsOf, toBuffered } from "../lanes/active-lane.ts";
import { newId, requestOf } from "../lanes/deliver.ts";
import { type Answer, send } from "../lanes/send.ts";
import { failedAs, type StoredDelivery, type StoredEndpoint } from "../webhooks.store.ts";
import { eventOf, findDelivery } from "./deliveries.ts";
import { noWebhook } from "./endpoints.ts";

interface Retried {
  data: { event_id: string; delivery_id: string; outcome: "succeeded" | "failed" };
  message: string;
}

type RetryContext = Pick<
  WebhookContext,
  "endpoints" | "lanes" | "deliveries" | "log" | "vault" | "agent" | "onAttempted"
>;

/**
 * Sends the event of an attempt once more, by itself, to where the endpoint is now; also to one that is FAILED. The lane
 * knows nothing of it: position, order and its own retries stay as they are.
 */
export async function retryDelivery(context: RetryContext, keyId: string, id: string): Promise<Retried> {
  const { endpoints, deliveries, log } = context;
  const former = await findDelivery(deliveries, keyId, id);
  const endpoint = await endpoints.findById(keyId);
  if (!endpoint) throw noWebhook();
  const event = await eventOf(log, former);
  if (!event) throw fail("expired", gone(former));
  const started = Date.now();
  const answer = await sendAlone(context, endpoint, event, started);
  const attempt = 1 + (await deliveries.count({ event_id: former.event_id }));
  const retried = attemptOf(former, endpoint, answer, { attempt, started, ended: Date.now() });
  context.onAttempted(retried.outcome);
  await deliveries.insert(retried);
  if (answer.error === null) await revive(context, former);
  return answered(retried, (await context.lanes.findById(keyId))?.status === "FAILED");
}

function gone({ seq }: StoredDelivery): string {
  if (seq === undefined)
    return "This attempt cannot be repeated: its event is in no log, as notices of jobs are.";
  return "The event of this delivery is no longer kept: events are kept for 72 hours.";
}

function sendAlone(
  { agent, vault }: RetryContext,
  endpoint: StoredEndpoint,
  event: WrittenEvent,
  now: number,
): Promise<Answer> {
  const target = {
    url: new URL(endpoint.url),
    inBatches: deliveryOptionsOf(endpoint).batch !== null,
    signingKeys: vault.signingKeys(endpoint, now),
  };
  return send(agent, requestOf(target, [toBuffered(event)], now));
}

function attemptOf(
  { keyId, event_id, type, seq }: StoredDelivery,
  { url }: StoredEndpoint,
  { status, error, text }: Answer,
  { attempt, started, ended }: { attempt: number; started: number; ended: number },
) {
  return {
    _id: newId(ended),
    keyId,
    event_id,
    type,
    ...(seq !== undefined && { seq }),
    url,
    attempt,
    ...(error === null
      ? { outcome: "succeeded" as const }
      : { outcome: "failed" as const, ...failedAs("failed") }),
    http_status: status,
    error,
    duration_ms: ended - started,
    answer: text,
    at: new Date(started).toISOString(),
  } satisfies StoredDelivery;
}

/** The event has arrived, so its last attempt no longer counts as dead. */
async function revive({ deliveries }: RetryContext, { event_id }: StoredDelivery): Promise<void> {
  const failed = "failed" as const;
  await deliveries.updateMany({ event_id, outcome: "dead" }, { $set: { outcome: failed, failedAs: failed } });
}

function answered(
  { _id, event_id, outcome, http_status }: ReturnType<typeof attemptOf>,
  isFailed: boolean,
): Retried {
  const status = http_status === null ? "did not answer" : `answered ${http_status}`;
  const result = outcome === "succeeded" ? "The receiver has taken the event." : `The receiver ${status}.`;
  const still = isFailed ? " The webhook is still FAILED; PATCH it to resume delivery." : "";
  return { data: { event_id, delivery_id: _id, outcome }, message: result + still };
}
