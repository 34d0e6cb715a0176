import { randomUUID } from "node:crypto";
import { mostEndpoints } from "../../contracts/endpoint-options.ts";
import { fail, invalid, urlErrorAt } from "../../contracts/errors.ts";
import { defaultDeliveryOptions } from "../../domain/delivery/delivery-options.ts";
import { formerAfterChange } from "../../domain/delivery/event-filter.ts";
import { disabled, keyOf, type Lane, laneIdOf, newLane, reactivate } from "../../domain/delivery/lane.ts";
import type { WebhookContext } from "../context.ts";
import type { Batch } from "../lanes/journal.ts";
import { filterOf } from "../lanes/wanted-events.ts";
import { endpointsOf, type ReplacedSecret, type StoredEndpoint } from "../webhooks.store.ts";
import { type EndpointFields, refuseMisfit, type Wanted, wantedFields } from "./endpoint-fields.ts";
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
  const { endpoint, isNew } = await context.journal.write(keyId, batch => {
    const known = batch.endpoints.findById(keyId);
    return known
      ? { endpoint: overwrite(batch, known, { ...wanted, url }), isNew: false }
      : { endpoint: create(context, batch, keyId, { ...wanted, url }, latest), isNew: true };
  });
  context.dispatcher.changed(endpoint);
  return { isNew, endpoint, status: "ACTIVE", secret: context.vault.reveal(endpoint) };
}

/** Adds an endpoint, which starts with future events. Throws `key_limit_reached` when the key has as many as it may. */
export async function createEndpoint(
  context: WebhookContext,
  keyId: string,
  wanted: Wanted & { url: string },
): Promise<Written & { secret: string }> {
  const admitted = { ...wanted, url: admitEndpoint(context, wanted.url) };
  const status = wanted.enabled === false ? "DISABLED" : "ACTIVE";
  const { latest } = await context.log.bounds(keyId);
  const taken = new Set((await endpointsOf(context.endpoints, [keyId])).map(({ _id }) => _id));
  for (let number = 0; number < mostEndpoints; number += 1) {
    const laneId = laneIdOf(keyId, number);
    if (taken.has(laneId)) continue;
    const endpoint = await context.journal.write(laneId, batch =>
      batch.endpoints.findById(laneId) ? null : create(context, batch, laneId, admitted, latest, keyId),
    );
    if (!endpoint) continue;
    context.dispatcher.changed(endpoint);
    return { endpoint, status, secret: context.vault.reveal(endpoint) };
  }
  const message = `A key can have ${mostEndpoints} webhooks at most. Remove one first.`;
  throw fail("key_limit_reached", message);
}

function create(
  { vault }: WebhookContext,
  batch: Batch,
  laneId: string,
  wanted: Wanted & { url: string },
  position: number,
  keyId = laneId,
): StoredEndpoint {
  const identity = { _id: laneId, webhookId: randomUUID() };
  const { sealed } = vault.issue(identity);
  const born = newLane(position, Date.now());
  const lane = wanted.enabled === false ? disabled(born) : born;
  batch.setLane(laneId, lane);
  const { url, name = null, ordering = defaultDeliveryOptions.ordering, batch: inBatches = null } = wanted;
  refuseMisfit({ ...wanted, url }, wanted);
  return batch.endpoints.insert({
    ...identity,
    ...(keyId !== laneId && { keyId }),
    ...chosen(wantedFields(vault, identity.webhookId, wanted)),
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

/** Without what was left out. */
function chosen(fields: EndpointFields): EndpointFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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
  const url = wanted.url === undefined ? undefined : admitEndpoint(context, wanted.url);
  const latest = await endOfLog(context, laneId, wanted);
  const written = await context.journal.write(laneId, batch => {
    const known = batch.endpoints.findById(laneId);
    const lane = batch.lane(laneId);
    if (!known || !lane) return null;
    const isDisabled = wanted.enabled === false || (lane.status === "DISABLED" && !wanted.enabled);
    const next = isDisabled ? disabled(lane) : reactivate(lane);
    batch.setLane(laneId, next);
    const rotated = wanted.rotate_secret ? rotation(context, known, now) : {};
    const { revision, status } = next;
    const fields = wantedFields(context.vault, known.webhookId, wanted);
    const { position } = lane;
    const former =
      latest === undefined
        ? undefined
        : formerAfterChange(filterOf(known), known.former ?? [], { position, latest });
    const changes = { ...fields, url, former, revision, ...rotated };
    const endpoint = batch.endpoints.updateById(laneId, { $set: changes }) ?? known;
    if (url ?? wanted.format ?? wanted.template) refuseMisfit(endpoint, wanted);
    return { endpoint, status };
  });
  if (!written) throw noWebhook();
  context.dispatcher.changed(written.endpoint);
  const secret = wanted.rotate_secret ? { secret: context.vault.reveal(written.endpoint) } : {};
  const message =
    written.status === "DISABLED" ? "Webhook changed; it is disabled." : "Webhook changed; it is active.";
  return { webhook: { ...written, ...secret }, message };
}

/** The end of the log, if the filter changes; the former one applies up to there. */
async function endOfLog(
  { log }: WebhookContext,
  laneId: string,
  { event_types, sources, tags }: WantedChanges,
): Promise<number | undefined> {
  if (event_types === undefined && sources === undefined && tags === undefined) return undefined;
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
