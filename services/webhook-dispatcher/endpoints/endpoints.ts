import { randomUUID } from "node:crypto";
import { fail, invalid } from "../../contracts/errors.ts";
import { type BatchLimits, defaultDeliveryOptions } from "../../domain/delivery/delivery-options.ts";
import { keepTime } from "../../domain/delivery/digest.ts";
import { formerAfterChange } from "../../domain/delivery/event-filter.ts";
import { fileBatch } from "../../domain/delivery/files.ts";
import { disabled, keyOf, type Lane, newLane, reactivate, unconfirmed } from "../../domain/delivery/lane.ts";
import { awaitsConfirmation, isMailUrl } from "../../domain/delivery/mail/address.ts";
import type { WebhookContext } from "../context.ts";
import { writesFiles } from "../destinations/kinds.ts";
import type { Batch } from "../journal/lane-writes.ts";
import { filterOf } from "../lanes/wanted-events.ts";
import { firstEndpoint, firstLane, type ReplacedSecret, type StoredEndpoint } from "../webhooks.store.ts";
import { addressOf, admitEndpoint, refuseTwoAddresses } from "./admit-address.ts";
import { checkedFields, refuseMisfit, type Wanted, wantedFields } from "./endpoint-fields.ts";
import { admitExpressions } from "./expressions-of.ts";
import { admitFallback } from "./fallback.ts";
import { mustAsk } from "./mail-endpoints.ts";
import { replacedSecrets } from "./vault.ts";

/** A stored endpoint, and whether its lane is worked. */
export interface Written {
  endpoint: StoredEndpoint;
  status: Lane["status"];
}

interface Registered extends Written {
  isNew: boolean;
  secret: string;
}

/**
 * Registers the first endpoint of a key, or overwrites it: id, secret and undelivered events stay, and so does what is
 * not named. A new endpoint starts with future events.
 */
export async function registerWebhook(
  context: WebhookContext,
  keyId: string,
  wanted: Wanted & { url: string },
): Promise<Registered> {
  const url = admitEndpoint(context, wanted.url);
  const { latest } = await context.log.bounds(keyId);
  const laneId = await firstLane(context.endpoints, keyId);
  const { endpoint, isNew } = await context.journal.write(laneId, batch => {
    const known = batch.endpoints.findById(laneId);
    return known
      ? { endpoint: overwrite(batch, known, { ...wanted, url }), isNew: false }
      : { endpoint: create(context, batch, laneId, { ...wanted, url }, latest, { keyId }), isNew: true };
  });
  context.dispatcher.changed(endpoint);
  return { isNew, endpoint, status: "ACTIVE", secret: context.vault.reveal(endpoint) };
}

/** What a new endpoint is, beside what its request says. */
interface Identity {
  keyId: string;
  monitor?: string | undefined;
  webhookId?: string | undefined;
}

/** Creates an endpoint whose lane begins at a position of the log. */
export function create(
  { vault }: Pick<WebhookContext, "vault">,
  batch: Batch,
  laneId: string,
  wanted: Wanted & { url: string },
  position: number,
  { keyId, monitor, webhookId = randomUUID() }: Identity,
): StoredEndpoint {
  const identity = { _id: laneId, webhookId };
  const { sealed } = vault.issue(identity);
  const now = Date.now();
  const born = newLane(position, now);
  const status = statusOf(wanted);
  const lane = status === "ACTIVE" ? born : laneWith(status, born);
  batch.setLane(laneId, lane);
  const { url, name = null, ordering = defaultDeliveryOptions.ordering } = wanted;
  const inBatches = wanted.batch === undefined ? usualBatch(wanted.destination) : wanted.batch;
  const fields = checkedFields(vault, identity.webhookId, { ...wanted, url });
  return batch.endpoints.insert({
    ...identity,
    ...(keyId !== laneId && { keyId }),
    ...(monitor !== undefined && { monitor }),
    ...fields,
    addedAt: now,
    url,
    name,
    ordering,
    batch: inBatches,
    sealed,
    previousSealed: null,
    previousUntil: 0,
    revision: lane.revision,
  });
}

/** How events are joined, unless the owner says: files hold many. */
function usualBatch(destination: Wanted["destination"]): BatchLimits | null {
  return writesFiles(destination) ? fileBatch : defaultDeliveryOptions.batch;
}

/** What an endpoint is after a change that leaves it neither failed nor undecided. */
export function statusOf({
  url,
  confirmed = null,
  enabled,
}: Pick<Wanted, "enabled"> & Pick<StoredEndpoint, "url" | "confirmed">): Lane["status"] {
  if (enabled === false) return "DISABLED";
  return awaitsConfirmation({ url, confirmed }) ? "UNCONFIRMED" : "ACTIVE";
}

function laneWith(status: Lane["status"], lane: Lane): Lane {
  if (status === "DISABLED") return disabled(lane);
  return status === "UNCONFIRMED" ? unconfirmed(lane) : reactivate(lane);
}

/** Fields that the request does not have keep their values. */
function overwrite(batch: Batch, known: StoredEndpoint, wanted: Wanted): StoredEndpoint {
  const lane = batch.lane(known._id);
  const active = lane && reactivate(lane);
  if (active) batch.setLane(known._id, active);
  const { url, name, ordering, batch: inBatches } = wanted;
  const changes = {
    ...{ url, name, ordering, batch: inBatches, digest: null, revision: active?.revision },
    ...withoutDestination(known, wanted),
  };
  const update = { $set: changes };
  return batch.endpoints.updateById(known._id, update) ?? known;
}

/** What becomes of a destination when a URL takes its place. */
function withoutDestination({ destination }: StoredEndpoint, { batch }: Pick<Wanted, "batch">) {
  if (!destination) return {};
  return { destination: null, sealedDestination: null, batch: batch === undefined ? null : batch };
}

/** Milliseconds for which a replaced secret still signs. */
const overlapMs = 24 * 3_600_000;
const mostOlder = 8;

/** The schema permits null for optional fields; for a name it means none. */
interface WantedChanges extends Omit<Wanted, "url"> {
  url?: string | null;
  rotate_secret?: boolean | null;
}

interface Changed {
  webhook: Written & { secret?: string };
  message: string;
}

/**
 * Changes the given fields and activates the endpoint, unless it is disabled and `enabled` is not given; kept events are
 * delivered first. `laneId` names the endpoint.
 */
export async function changeWebhook(
  context: WebhookContext,
  laneId: string,
  wanted: WantedChanges,
  now: number,
): Promise<Changed> {
  if (wanted.url === null)
    throw invalid("url", "string", "`url` must be a URL, or absent. DELETE removes the webhook.");
  refuseTwoAddresses(wanted);
  const url = addressOf(context, wanted);
  await admitExpressions(context, keyOf(laneId), wanted);
  if (wanted.fallback) {
    const own = await context.endpoints.findById(laneId);
    await admitFallback(context, keyOf(laneId), wanted, own?.webhookId);
  }
  const latest = await endOfLog(context, laneId, wanted);
  const asks = await mustAsk(context, laneId, { ...wanted, url });
  const written = await context.journal.write(laneId, batch => {
    const known = batch.endpoints.findById(laneId);
    const lane = batch.lane(laneId);
    if (!known || !lane) return null;
    const isDisabled = wanted.enabled === false || (lane.status === "DISABLED" && !wanted.enabled);
    const address = { url: url ?? known.url, confirmed: known.confirmed ?? null };
    const next = laneWith(statusOf({ ...address, enabled: !isDisabled }), lane);
    const rotated = wanted.rotate_secret ? rotation(context, known, now) : {};
    const { revision, status } = next;
    const fields = wantedFields(context.vault, known.webhookId, wanted, known);
    const replaced = wanted.destination
      ? { batch: wanted.batch === undefined ? (known.batch ?? usualBatch(wanted.destination)) : wanted.batch }
      : url === undefined
        ? {}
        : withoutDestination(known, wanted);
    const { position } = lane;
    const former =
      latest === undefined
        ? undefined
        : formerAfterChange(filterOf(known), known.former ?? [], { position, latest });
    // What is no address of mail has no digests.
    const digest = url === undefined || isMailUrl(url) ? fields.digest : (fields.digest ?? null);
    const changes = { ...fields, ...replaced, url, digest, former, revision, ...rotated };
    const endpoint = batch.endpoints.updateById(laneId, { $set: changes }) ?? known;
    batch.setLane(laneId, endpoint.digest === known.digest ? keepTime(next, lane) : next);
    const isOfMail = isMailUrl(endpoint.url) && (wanted.batch ?? wanted.headers);
    const { format, template, transform, fallback, digest: digests } = wanted;
    if (endpoint.destination ?? url ?? format ?? template ?? transform ?? fallback ?? digests ?? isOfMail)
      refuseMisfit(endpoint, wanted);
    return { endpoint, status };
  });
  if (!written) throw noWebhook();
  if (asks && written.status === "UNCONFIRMED") await context.confirmations?.ask(written.endpoint);
  context.dispatcher.changed(written.endpoint);
  const secret = wanted.rotate_secret ? { secret: context.vault.reveal(written.endpoint) } : {};
  return { webhook: { ...written, ...secret }, message: changedMessages[written.status] };
}

const changedMessages: Record<Lane["status"], string> = {
  ACTIVE: "Webhook changed; it is active.",
  FAILED: "Webhook changed; it has failed.",
  DISABLED: "Webhook changed; it is disabled.",
  UNCONFIRMED: "Webhook changed; the owner of its address has to confirm it.",
};

/** The end of the log, if the filter changes; the former one applies up to there. */
async function endOfLog(
  { log }: WebhookContext,
  laneId: string,
  { event_types, sources, tags, meaningful, filter }: WantedChanges,
): Promise<number | undefined> {
  if ([event_types, sources, tags, meaningful, filter].every(part => part === undefined)) return undefined;
  return (await log.bounds(keyOf(laneId))).latest;
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

/** Removes the first endpoint of a key. The next one is the first then, and the message says so. */
export async function removeFirstWebhook(
  context: WebhookContext,
  keyId: string,
): Promise<{ message: string }> {
  const removed = await removeWebhook(context, await firstLane(context.endpoints, keyId));
  const next = await firstEndpoint(context.endpoints, keyId);
  return next ? { message: `Webhook removed. /webhook is ${next.url} now.` } : removed;
}

/** Removes an endpoint; nothing more is sent to it. */
export async function removeWebhook(context: WebhookContext, laneId: string): Promise<{ message: string }> {
  if (!(await remove(context, laneId))) throw noWebhook();
  return { message: "Webhook removed." };
}

/** Removes an endpoint and its lane; false if there was none. */
export async function remove({ journal, dispatcher }: WebhookContext, laneId: string): Promise<boolean> {
  const removed = await journal.write(laneId, batch => {
    batch.setLane(laneId, null);
    return batch.endpoints.removeById(laneId);
  });
  dispatcher.removed(laneId);
  return removed !== null;
}
