import { randomUUID } from "node:crypto";
import { makeOnce } from "../../../mixins/store/idempotency.ts";
import { mostEndpoints, mostOfMonitors } from "../../contracts/endpoint-options.ts";
import { fail } from "../../contracts/errors.ts";
import { isSameFilter } from "../../domain/delivery/event-filter.ts";
import { laneIdOf } from "../../domain/delivery/lane.ts";
import type { WebhookContext } from "../context.ts";
import { filterOf } from "../lanes/wanted-events.ts";
import { endpointsOf, type StoredEndpoint } from "../webhooks.store.ts";
import { admitDestination, admitUrl, refuseNoAddress, refuseTwoAddresses } from "./admit-address.ts";
import { checkedFields, type Wanted } from "./endpoint-fields.ts";
import { create, statusOf, type Written } from "./endpoints.ts";
import { admitExpressions } from "./expressions-of.ts";
import { admitFallback } from "./fallback.ts";
import { admitQuestion } from "./mail-endpoints.ts";

type NewEndpoint = Wanted & { url: string };

interface Created extends Pick<Written, "endpoint"> {
  secret: string;
}

/**
 * Adds an endpoint, which starts with future events, and names one that is equal to it. A repeated request gets the endpoint
 * of the first one as it is now. Throws `key_limit_reached` when the key has as many as it may.
 */
export async function createEndpoint(
  context: WebhookContext,
  keyId: string,
  wanted: Wanted,
  idempotencyKey: string | undefined,
): Promise<Created & { message: string }> {
  refuseTwoAddresses(wanted);
  refuseNoAddress(wanted);
  const request = { keyId, operation: "webhook", key: idempotencyKey, body: wanted };
  const making = {
    newId: randomUUID,
    find: async (webhookId: string) => (await ofKey(context, keyId)).find(isOf(webhookId)) ?? null,
    make: async (webhookId: string) => (await addEndpoint(context, keyId, wanted, { webhookId })).endpoint,
  };
  const endpoint = await makeOnce(context.claims, request, making, Date.now());
  const twin = (await ofKey(context, keyId)).find(other => isTwin(endpoint, other));
  const message = twin
    ? `Webhook registered. ${twin.webhookId} has the same URL and filter, so each event is sent to it twice.`
    : "Webhook registered.";
  return { endpoint, secret: context.vault.reveal(endpoint), message };
}

function isOf(id: string): (endpoint: StoredEndpoint) => boolean {
  return ({ webhookId }) => webhookId === id;
}

function ofKey({ endpoints }: WebhookContext, keyId: string): Promise<StoredEndpoint[]> {
  return endpointsOf(endpoints, [keyId]);
}

/** An endpoint of a monitor gets other events. */
function isTwin(endpoint: StoredEndpoint, other: StoredEndpoint): boolean {
  if (other.webhookId === endpoint.webhookId || other.monitor !== undefined) return false;
  return other.url === endpoint.url && isSameFilter(filterOf(endpoint), filterOf(other));
}

interface Identity {
  monitor?: string;
  /** May be that of an endpoint that is there: then this is it. */
  webhookId?: string;
}

/** Adds an endpoint; that of a monitor has its place after those of the key. Throws `key_limit_reached`. */
export async function addEndpoint(
  context: WebhookContext,
  keyId: string,
  wanted: Wanted,
  { monitor, webhookId = randomUUID() }: Identity,
): Promise<Created> {
  const { url = "", destination } = wanted;
  const address = destination ? admitDestination(context, destination) : admitUrl(context, url);
  const admitted: NewEndpoint = { ...wanted, url: address };
  const status = statusOf(admitted);
  await admitExpressions(context, keyId, wanted);
  await admitFallback(context, keyId, wanted);
  const { latest } = await context.log.bounds(keyId);
  const known = await ofKey(context, keyId);
  const isThere = isOf(webhookId);
  const taken = new Set(known.filter(each => !isThere(each)).map(({ _id }) => _id));
  const free = placesOf(keyId, monitor).filter(laneId => !taken.has(laneId));
  const asks = status === "UNCONFIRMED" && free.length > 0;
  if (asks) await admitQuestion(context, keyId, admitted);
  for (const laneId of known
    .filter(isThere)
    .map(({ _id }) => _id)
    .concat(free)) {
    const endpoint = await context.journal.write(laneId, batch => {
      const there = batch.endpoints.findById(laneId);
      if (there) return isThere(there) ? there : null;
      return create(context, batch, laneId, admitted, latest, { keyId, monitor, webhookId });
    });
    if (!endpoint) continue;
    if (asks) await context.confirmations?.ask(endpoint);
    context.dispatcher.changed(endpoint);
    return { endpoint, secret: context.vault.reveal(endpoint) };
  }
  throw noPlace(monitor);
}

/** The lanes that endpoints of a key may have, or those of its monitors. */
function placesOf(keyId: string, monitor: string | undefined): string[] {
  const [first, most] = monitor === undefined ? [0, mostEndpoints] : [mostEndpoints, mostOfMonitors];
  return Array.from({ length: most }, (_, at) => laneIdOf(keyId, first + at));
}

function noPlace(monitor: string | undefined): Error {
  const message =
    monitor === undefined
      ? `A key can have ${mostEndpoints} webhooks at most. Remove one first.`
      : `The monitors of a key can have ${mostOfMonitors} webhooks and addresses of mail at most. Remove one first.`;
  return fail("key_limit_reached", message);
}

/** Throws what would refuse a new endpoint of a monitor, or a change of one; `more` are still to come with it. */
export async function admitOfMonitor(
  context: WebhookContext,
  keyId: string,
  wanted: NewEndpoint,
  more: number,
): Promise<void> {
  const url = admitUrl(context, wanted.url);
  checkedFields(context.vault, "", { ...wanted, url });
  await admitExpressions(context, keyId, wanted);
  const known = await endpointsOf(context.endpoints, [keyId]);
  const ofMonitors = known.filter(({ monitor }) => monitor !== undefined).length;
  if (ofMonitors + more > mostOfMonitors) throw noPlace("");
}
