import { randomUUID } from "node:crypto";
import { fail, invalid, urlErrorAt } from "../../contracts/errors.ts";
import type { Webhook, WebhookState } from "../../contracts/webhook-dispatcher.contract.ts";
import { type DeliveryOptions, defaultDeliveryOptions } from "../../domain/delivery/delivery-options.ts";
import { type Lane, newLane, reactivate } from "../../domain/delivery/lane.ts";
import type { WebhookContext } from "../context.ts";
import { deliveryOptionsOf } from "../lanes/active-lane.ts";
import { removeDeliveries } from "../lanes/attempt-list.ts";
import type { Batch } from "../lanes/journal.ts";
import { describeLane } from "../lanes/lane-status.ts";
import type { ReplacedSecret, StoredEndpoint } from "../webhooks.store.ts";
import { replacedSecrets } from "./vault.ts";

interface Registered {
  isNew: boolean;
  webhook: WebhookWithoutKey & { secret: string };
  message: string;
}

interface Wanted extends Partial<DeliveryOptions> {
  url: string;
  /** Null for none; undefined keeps the present one. */
  name?: string | null;
}

/**
 * Registers the endpoint of a key, or overwrites it: id, secret and undelivered events stay. A new endpoint starts with
 * future events.
 */
export async function registerWebhook(
  context: WebhookContext,
  keyId: string,
  { url, ...rest }: Wanted,
): Promise<Registered> {
  const wanted = { ...rest, url: admitEndpoint(context, url) };
  const { latest } = await context.log.bounds(keyId);
  const { endpoint, isNew } = await context.journal.write(keyId, batch => {
    const known = batch.endpoints.findById(keyId);
    return known
      ? { endpoint: overwrite(batch, known, wanted), isNew: false }
      : { endpoint: create(context, batch, keyId, wanted, latest), isNew: true };
  });
  context.dispatcher.changed(endpoint);
  const webhook = describeWebhook(endpoint, { status: "ACTIVE" });
  const message = isNew ? "Webhook registered." : "Webhook overwritten.";
  return { isNew, webhook: { ...webhook, secret: context.vault.reveal(endpoint) }, message };
}

function create(
  { vault }: WebhookContext,
  batch: Batch,
  keyId: string,
  { url, name = null, ordering = defaultDeliveryOptions.ordering, batch: inBatches = null }: Wanted,
  position: number,
): StoredEndpoint {
  const identity = { _id: keyId, webhookId: randomUUID() };
  const { sealed } = vault.issue(identity);
  const lane = newLane(position, Date.now());
  batch.setLane(keyId, lane);
  const { revision } = lane;
  return batch.endpoints.insert({
    ...identity,
    url,
    name,
    ordering,
    batch: inBatches,
    sealed,
    previousSealed: null,
    previousUntil: 0,
    revision,
  });
}

/** Fields that are not given stay. */
function overwrite(batch: Batch, known: StoredEndpoint, wanted: Wanted): StoredEndpoint {
  const lane = batch.lane(known._id);
  const active = lane && reactivate(lane);
  if (active) batch.setLane(known._id, active);
  const { url, name, ordering, batch: inBatches } = wanted;
  const update = { $set: { url, name, ordering, batch: inBatches, revision: active?.revision } };
  return batch.endpoints.updateById(known._id, update) ?? known;
}

/** Milliseconds for which a replaced secret still signs. */
const overlapMs = 24 * 3_600_000;
const mostOlder = 8;

/** The schema permits null for optional fields; for a name it means none. */
interface WantedChanges extends Partial<DeliveryOptions> {
  url?: string | null;
  name?: string | null;
  rotate_secret?: boolean | null;
}

/** Changes the given fields and activates the endpoint; kept events are delivered first. */
export async function changeWebhook(
  context: WebhookContext,
  keyId: string,
  wanted: WantedChanges,
  now: number,
): Promise<{ webhook: WebhookWithoutKey & { secret?: string }; message: string }> {
  if (wanted.url === null)
    throw invalid("url", "string", "`url` must be a URL, or absent. DELETE removes the webhook.");
  const url = wanted.url === undefined ? undefined : admitEndpoint(context, wanted.url);
  const endpoint = await context.journal.write(keyId, batch => {
    const known = batch.endpoints.findById(keyId);
    const lane = batch.lane(keyId);
    if (!known || !lane) return null;
    const active = reactivate(lane);
    batch.setLane(keyId, active);
    const rotated = wanted.rotate_secret ? rotation(context, known, now) : {};
    const { revision } = active;
    const { name, ordering, batch: inBatches } = wanted;
    const changes = { url, name, ordering, batch: inBatches, revision, ...rotated };
    return batch.endpoints.updateById(keyId, { $set: changes });
  });
  if (!endpoint) throw noWebhook();
  context.dispatcher.changed(endpoint);
  const webhook = describeWebhook(endpoint, { status: "ACTIVE" });
  const secret = wanted.rotate_secret ? { secret: context.vault.reveal(endpoint) } : {};
  return { webhook: { ...webhook, ...secret }, message: "Webhook changed; it is active." };
}

export function noWebhook(): Error {
  return fail("not_found", "No webhook is registered for this key. Register one with POST /webhook.");
}

function rotation({ vault }: WebhookContext, endpoint: StoredEndpoint, now: number) {
  const { sealed } = vault.issue(endpoint);
  const older = bounded(replacedSecrets(endpoint, now));
  return { sealed, previousSealed: endpoint.sealed, previousUntil: now + overlapMs, older };
}

/** Keep the oldest: if the answers to rotations were lost, it is the one that the receiver knows. */
function bounded(secrets: ReplacedSecret[]): ReplacedSecret[] {
  return secrets.length > mostOlder ? secrets.toSpliced(-2, 1) : secrets;
}

/** The registered URL, with a message if its owner has to act. */
export async function getWebhook(
  { endpoints, lanes }: Pick<WebhookContext, "endpoints" | "lanes">,
  keyId: string,
): Promise<{ data: string | null; message?: string }> {
  const endpoint = await endpoints.findById(keyId);
  if (!endpoint) return { data: null, message: "No webhook is registered for this key." };
  const lane = await lanes.findById(keyId);
  return { data: endpoint.url, ...(lane?.status === "FAILED" && { message: failedMessage }) };
}

/** The endpoints of a key, with the progress of their lanes: one, or none. */
export async function listWebhooks(
  { endpoints, lanes, log }: Pick<WebhookContext, "endpoints" | "lanes" | "log">,
  keyId: string,
): Promise<{ data: WebhookState[]; next_cursor: null; message: string }> {
  const [endpoint, lane] = await Promise.all([endpoints.findById(keyId), lanes.findById(keyId)]);
  if (!endpoint || !lane) return { data: [], next_cursor: null, message: "No webhook is registered." };
  const { key_id: _key, ...progress } = await describeLane({ log }, lane, endpoint.url);
  const data = [{ ...describeWebhook(endpoint, progress), ...progress }];
  return {
    data,
    next_cursor: null,
    message: progress.status === "FAILED" ? failedMessage : "Webhooks listed.",
  };
}

/** Removes the endpoint of a key; nothing more is sent to it. */
export async function removeWebhook(context: WebhookContext, keyId: string): Promise<{ message: string }> {
  if (!(await remove(context, keyId))) throw noWebhook();
  return { message: "Webhook removed." };
}

/** Removes everything of a deleted key. */
export async function forgetKey(context: WebhookContext, keyId: string): Promise<void> {
  await remove(context, keyId);
  await removeDeliveries(context.deliveries, { keyId });
}

async function remove({ journal, dispatcher }: WebhookContext, keyId: string): Promise<boolean> {
  const removed = await journal.write(keyId, batch => {
    batch.setLane(keyId, null);
    return batch.endpoints.removeById(keyId);
  });
  dispatcher.removed(keyId);
  return removed !== null;
}

/** A webhook as its owner sees it, without the key's value, which this service does not know. */
type WebhookWithoutKey = Omit<Webhook, "apiKey">;

function describeWebhook(endpoint: StoredEndpoint, { status }: Pick<Lane, "status">): WebhookWithoutKey {
  const { webhookId, name, url } = endpoint;
  return { id: webhookId, name, url, status, ...deliveryOptionsOf(endpoint) };
}

const failedMessage =
  "The webhook is FAILED: nothing is sent, and events are kept for 72 hours. POST or PATCH it to resume delivery.";

/** The message of an operation that sends something, unless the endpoint is FAILED. */
export function unlessFailed(lane: Pick<Lane, "status"> | null, message: string): string {
  return lane?.status === "FAILED" ? failedMessage : message;
}

/** The normalised URL of an endpoint. Throws `invalid_url` or `url_not_allowed`, which name the field. */
export function admitEndpoint(
  { egress, allowHttp }: Pick<WebhookContext, "egress" | "allowHttp">,
  text: string,
  field = "url",
): string {
  try {
    return egress.admit(text, { onlyHttps: !allowHttp }).href;
  } catch (error) {
    throw urlErrorAt(field, error);
  }
}
