import { ulid } from "ulid";
import { chargeOrRefuse } from "../../../mixins/clients/quotas.ts";
import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { fail } from "../../contracts/errors.ts";
import { filePathAlone } from "../../domain/delivery/files.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import { awaitsConfirmation } from "../../domain/delivery/mail/address.ts";
import type { WebhookContext } from "../context.ts";
import { listAlone } from "../journal/attempt-list.ts";
import { allOfEvent } from "../journal/find-attempts.ts";
import { toBuffered } from "../lanes/active-lane.ts";
import { sendTo } from "../lanes/deliver.ts";
import { isNotice } from "../lanes/quota-hold.ts";
import { type Answer, sendBy } from "../sending/send.ts";
import {
  type Attempted,
  attemptAt,
  failedAs,
  type ListedAttempt,
  type StoredAttempts,
  type StoredEndpoint,
} from "../webhooks.store.ts";
import { clientCertificateOf } from "./client-certificate.ts";
import { eventOf, findDelivery, isOf, unknownDelivery } from "./deliveries.ts";
import { noWebhook } from "./endpoints.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { ownHeadersOf } from "./vault.ts";

interface Retried {
  data: { event_id: string; delivery_id: string; outcome: "succeeded" | "failed" };
  message: string;
}

type RetryContext = Pick<
  WebhookContext,
  | "endpoints"
  | "lanes"
  | "deliveries"
  | "log"
  | "vault"
  | "agent"
  | "certified"
  | "mail"
  | "destinations"
  | "expressions"
  | "quotas"
  | "logger"
  | "onAttempted"
> & {
  /** The place of the request in its trace. */
  traceparent?: string | undefined;
};

/**
 * Sends the event of an attempt once more, by itself, to where the endpoint is now; also to one that is FAILED. The lane
 * knows nothing of it: position, order and its own retries stay as they are.
 */
export async function retryDelivery(context: RetryContext, keyId: string, id: string): Promise<Retried> {
  const { endpoints, deliveries } = context;
  const former = await findDelivery(deliveries, keyId, id);
  const further = former.endpoint;
  if (further !== undefined)
    return await retryTo(context, await findEndpoint({ endpoints }, keyId, further), former);
  const endpoint = await endpoints.findById(keyId);
  if (!endpoint) throw noWebhook();
  return await retryTo(context, endpoint, former);
}

/** Retries an attempt of one endpoint; 404 for those of others. */
export async function retryOfEndpoint(
  context: RetryContext,
  keyId: string,
  { id, delivery_id }: { id: string; delivery_id: string },
): Promise<Retried> {
  const endpoint = await findEndpoint(context, keyId, id);
  const former = await findDelivery(context.deliveries, keyId, delivery_id);
  if (!isOf(former, keyId, endpoint)) throw unknownDelivery();
  return await retryTo(context, endpoint, former);
}

async function retryTo(
  context: RetryContext,
  endpoint: StoredEndpoint,
  former: ListedAttempt,
): Promise<Retried> {
  const { deliveries, log } = context;
  if (awaitsConfirmation(endpoint))
    throw fail("conflict", "The owner of this address has not agreed yet, so nothing is sent there.");
  const event = await eventOf(log, former);
  if (!event) throw fail("expired", gone(former));
  const started = Date.now();
  const answer = await charged(context, former, () => sendAlone(context, endpoint, event, started));
  const attempt = 1 + (await attemptsBefore(deliveries, endpoint, former));
  const made = attemptOf(former, endpoint, answer, { attempt, started, ended: Date.now() });
  context.onAttempted(made);
  const retried = await listAlone(deliveries, made);
  if (answer.error === null) await revive(context, endpoint, former);
  return answered(retried, (await context.lanes.findById(endpoint._id))?.status);
}

/** Charges what is sent: it counts when the receiver took it. A charge that cannot be ended now stays open, and counts. */
async function charged(
  context: RetryContext,
  former: ListedAttempt,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { quotas, logger } = context;
  const charge = await chargeRetry(context, former);
  let isTaken = false;
  try {
    const answer = await send();
    isTaken = answer.error === null;
    return answer;
  } finally {
    if (charge)
      await quotas
        .settle(former.keyId, [charge], isTaken)
        .catch(error => logEvent(logger, "quota_charge.failed", { error }));
  }
}

/** Charges a delivery to the quotas of the key; undefined where it is not charged. Throws 429 `quota_exceeded`. */
async function chargeRetry({ quotas }: RetryContext, former: ListedAttempt): Promise<string | undefined> {
  if (isNotice(former) || !(await quotas.has(former.keyId))) return undefined;
  const id = ulid();
  await chargeOrRefuse(quotas, former.keyId, { id, amounts: { deliveries: 1 } });
  return id;
}

/** How many attempts to deliver the event to this endpoint there were. */
async function attemptsBefore(
  deliveries: RetryContext["deliveries"],
  endpoint: StoredEndpoint,
  { keyId, event_id }: ListedAttempt,
): Promise<number> {
  const fits = (row: StoredAttempts) => isOf(row, keyId, endpoint);
  return (await allOfEvent(deliveries, keyId, { event_id, fits })).length;
}

function gone({ seq }: ListedAttempt): string {
  if (seq === undefined)
    return "This attempt cannot be repeated: its event is in no log, as notices of jobs are.";
  return "The event of this delivery is no longer kept: events are kept for 72 hours.";
}

/** Sends one event, whatever the state of the lane. */
export function sendAlone(
  {
    agent,
    certified,
    mail,
    destinations,
    expressions,
    vault,
    traceparent,
  }: Pick<
    RetryContext,
    "agent" | "certified" | "mail" | "destinations" | "expressions" | "vault" | "traceparent"
  >,
  endpoint: StoredEndpoint,
  event: WrittenEvent,
  now: number,
): Promise<Answer> {
  const target = {
    laneId: endpoint._id,
    webhookId: endpoint.webhookId,
    url: new URL(endpoint.url),
    inBatches: endpoint.batch !== null,
    signingKeys: vault.signingKeys(endpoint, now),
    ownHeaders: { ...ownHeadersOf(vault, endpoint), ...(traceparent && { traceparent }) },
    format: endpoint.format,
    template: endpoint.template,
    transform: endpoint.transform,
    metadata: endpoint.metadata,
    timeoutMs: endpoint.timeoutMs,
    clientCertificate: clientCertificateOf(vault, endpoint),
    destination: endpoint.destination
      ? { endpoint, path: filePathAlone(event.seq, endpoint.webhookId, now) }
      : undefined,
  };
  const way = { send: sendBy(agent, certified), mail, destinations, expressions };
  return sendTo(way, target, [toBuffered(event)], now);
}

/** The attempt as the list of deliveries shows it. */
export function attemptOf(
  { keyId, event_id, type, seq }: Pick<ListedAttempt, "keyId" | "event_id" | "type" | "seq">,
  endpoint: StoredEndpoint,
  { status, error, text }: Answer,
  { attempt, started, ended }: { attempt: number; started: number; ended: number },
): Attempted {
  return {
    keyId,
    event_id,
    type,
    ...(seq !== undefined && { seq }),
    ...attemptAt(endpoint),
    url: endpoint.url,
    attempt,
    outcome: error === null ? "succeeded" : "failed",
    http_status: status,
    error,
    duration_ms: ended - started,
    answer: text,
    startedAt: started,
  };
}

/** The event has arrived, so its last attempt no longer counts as dead. */
async function revive(
  { deliveries }: RetryContext,
  endpoint: StoredEndpoint,
  { keyId, event_id }: ListedAttempt,
): Promise<void> {
  const outcome = "failed" as const;
  // A dead attempt has a row for itself.
  const dead = await deliveries.find({ query: { keyId, events: event_id, failedAs: "dead" } });
  for (const row of dead)
    if (isOf(row, keyId, endpoint))
      await deliveries.update(row._id, { $set: { outcome, ...failedAs(outcome) } });
}

function answered(
  { _id, event_id, error, http_status, answer }: ListedAttempt,
  lane: Lane["status"] | undefined,
): Retried {
  const outcome = error === null ? "succeeded" : "failed";
  const status = http_status === null ? "did not answer" : `answered ${http_status}`;
  const failed =
    error === "destination" ? `The destination has refused it: ${answer}` : `The receiver ${status}.`;
  const result = outcome === "succeeded" ? "The receiver has taken the event." : failed;
  const isStopped = lane === "FAILED" || lane === "DISABLED";
  const still = isStopped ? ` The webhook is still ${lane}; PATCH it to resume delivery.` : "";
  return { data: { event_id, delivery_id: _id, outcome }, message: result + still };
}
