import type { Webhook, WebhookState } from "../../contracts/endpoint-options.ts";
import { fail } from "../../contracts/errors.ts";
import { type ListPage, type ShortPage, shortPage } from "../../contracts/paging.ts";
import { exchangeMs } from "../../domain/delivery/delivery-options.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import type { WebhookContext } from "../context.ts";
import { removeAttempts } from "../journal/attempt-list.ts";
import { describeLane } from "../lanes/lane-status.ts";
import { endpointsOf, type StoredEndpoint, type StoredLane } from "../webhooks.store.ts";
import { remove, type Written } from "./endpoints.ts";

type Reading = Pick<WebhookContext, "endpoints" | "lanes" | "log" | "wanted" | "quotas" | "vault">;

/** The URL of the first endpoint, with a message if its owner has to act. */
export async function getWebhook(
  { firstWebhooks }: Pick<WebhookContext, "firstWebhooks">,
  keyId: string,
): Promise<{ data: string | null; message?: string }> {
  const webhook = await firstWebhooks.of(keyId);
  if (!webhook) return { data: null, message: "No webhook is registered for this key." };
  const { url, status } = webhook;
  const stopped = stoppedMessage(status);
  return stopped ? { data: url, message: stopped } : { data: url };
}

/** The endpoints of a key, with the progress of their lanes, the first one first. */
export async function listWebhooks(
  context: Reading,
  keyId: string,
  page: ShortPage = {},
): Promise<ListPage<WebhookState>> {
  const all = await endpointsOf(context.endpoints, [keyId]);
  const { data: endpoints, next_cursor } = shortPage(all, placeOf, page);
  const lanes = await context.lanes.find({ query: { _id: { $in: endpoints.map(({ _id }) => _id) } } });
  const laneOf = new Map(lanes.map(lane => [lane._id, lane]));
  const states = endpoints.map(async endpoint => {
    const lane = laneOf.get(endpoint._id);
    return lane ? [await describeState(context, endpoint, lane)] : [];
  });
  const data = (await Promise.all(states)).flat();
  if (all.length === 0) return { data, next_cursor, message: "No webhook is registered." };
  const failed = data.find(({ status }) => status === "FAILED");
  return { data, next_cursor, message: failed ? failedMessage : "Webhooks listed." };
}

/** The order of `endpointsOf`, as a text. */
function placeOf({ addedAt, _id }: StoredEndpoint): string {
  return `${new Date(addedAt).toISOString()}.${String(_id.length).padStart(3, "0")}.${_id}`;
}

/** An endpoint as its owner sees it. Throws 404 for an unknown one and for another key's. */
export async function getEndpoint(
  context: Reading,
  keyId: string,
  id: string,
): Promise<{ data: WebhookState; message: string }> {
  const endpoint = await findEndpoint(context, keyId, id);
  const lane = await context.lanes.findById(endpoint._id);
  if (!lane) throw unknownEndpoint();
  const data = await describeState(context, endpoint, lane);
  return { data, message: stoppedMessage(lane.status) ?? "Webhook found." };
}

/** The endpoint of a key by the id that the API shows. */
export async function findEndpoint(
  { endpoints }: Pick<Reading, "endpoints">,
  keyId: string,
  id: string,
): Promise<StoredEndpoint> {
  const endpoint = (await endpointsOf(endpoints, [keyId])).find(({ webhookId }) => webhookId === id);
  if (!endpoint) throw unknownEndpoint();
  return endpoint;
}

/** The public keys of an endpoint, whoever asks. Throws 404 where it has none. */
export async function webhookKeys(
  { endpoints, vault }: Pick<Reading, "endpoints" | "vault">,
  id: string,
  now: number,
): Promise<{ keys: string[] }> {
  const endpoint = await endpoints.findOne({ webhookId: id });
  const keys = endpoint ? vault.publicKeys(endpoint, now) : [];
  if (keys.length === 0) throw fail("not_found", "No webhook with this id has public keys.");
  return { keys };
}

/** The endpoint of any key, for administrators. */
export async function findAnyEndpoint(
  { endpoints }: Pick<Reading, "endpoints">,
  id: string,
): Promise<StoredEndpoint> {
  const endpoint = await endpoints.findOne({ webhookId: id });
  if (!endpoint) throw fail("not_found", "There is no webhook with this id. GET /internal/lanes lists all.");
  return endpoint;
}

/** An endpoint that was just started again, and how far its deliveries have come. */
export async function describeReactivated(context: Reading, { endpoint }: Written) {
  const lane = await context.lanes.findById(endpoint._id);
  if (!lane) throw unknownEndpoint();
  const message = stoppedMessage(lane.status) ?? "The webhook is active: what was kept is delivered first.";
  return { data: await describeLane(context, lane, endpoint), message };
}

function unknownEndpoint(): Error {
  return fail("not_found", "There is no webhook with this id. GET /webhooks lists those of this key.");
}

/** Describes an endpoint that was just written. */
export async function describeWritten(
  context: Reading,
  { endpoint }: Pick<Written, "endpoint">,
): Promise<WebhookState> {
  const lane = await context.lanes.findById(endpoint._id);
  if (!lane) throw unknownEndpoint();
  return describeState(context, endpoint, lane);
}

async function describeState(
  context: Reading,
  endpoint: StoredEndpoint,
  lane: StoredLane,
): Promise<WebhookState> {
  const { key_id: _key, webhook_id: _id, ...progress } = await describeLane(context, lane, endpoint);
  const { event_types = null, sources = null, tags = null, meaningful, headerNames = [] } = endpoint;
  return {
    ...describeWebhook({ endpoint, status: lane.status }),
    destination: endpoint.destination ?? null,
    enabled: lane.status !== "DISABLED",
    event_types: event_types && [...event_types],
    sources: sources && [...sources],
    tags: tags && [...tags],
    meaningful: meaningful ?? false,
    headers: Object.fromEntries(headerNames.map(name => [name, "•••"])),
    format: endpoint.format ?? "standard",
    template: endpoint.template ?? null,
    filter: endpoint.filter ?? null,
    filter_problem: endpoint.filterProblem ?? null,
    transform: endpoint.transform ?? null,
    rate: endpoint.rate ?? null,
    fallback: endpoint.fallback ?? null,
    falls_back: lane.diverted === true,
    metadata: endpoint.metadata ? JSON.parse(endpoint.metadata) : null,
    asymmetric: endpoint.asymmetric ?? false,
    public_keys: context.vault.publicKeys(endpoint, Date.now()),
    timeout_ms: endpoint.timeoutMs ?? exchangeMs,
    client_certificate: endpoint.clientCertificate ?? null,
    digest: endpoint.digest ?? null,
    monitor: endpoint.monitor ?? null,
    ...progress,
  } as WebhookState;
}

/** Removes the endpoints of a monitor, which is deleted. */
export async function removeOfMonitor(context: WebhookContext, keyId: string, id: string): Promise<void> {
  const known = await endpointsOf(context.endpoints, [keyId]);
  for (const { _id, monitor } of known) if (monitor === id) await remove(context, _id);
}

/** Removes everything of a deleted key. */
export async function forgetKey(context: WebhookContext, keyId: string): Promise<void> {
  const known = await endpointsOf(context.endpoints, [keyId]);
  for (const laneId of new Set([keyId, ...known.map(({ _id }) => _id)])) await remove(context, laneId);
  await removeAttempts(context.deliveries, { keyId });
}

/** A webhook as its owner sees it, without the key's value, which this service does not know. */
export function describeWebhook({ endpoint, status }: Written): Omit<Webhook, "apiKey"> {
  const { webhookId, name, url, ordering, batch } = endpoint;
  return { id: webhookId, name, url, status, ordering, batch };
}

const failedMessage =
  "The webhook is FAILED: nothing is sent, and events are kept for 72 hours. POST or PATCH it to resume delivery.";
const disabledMessage =
  "The webhook is DISABLED: nothing is sent, and events are kept for 72 hours. PATCH it with `enabled: true` to resume delivery.";

const unconfirmedMessage =
  "The webhook is UNCONFIRMED: the owner of its address has to open the link in the mail. Events are kept for 72 hours. PATCH it with `enabled: true` for another mail.";

function stoppedMessage(status: Lane["status"] | undefined): string | undefined {
  if (status === "UNCONFIRMED") return unconfirmedMessage;
  if (status === "FAILED") return failedMessage;
  return status === "DISABLED" ? disabledMessage : undefined;
}

/** The message of an operation that sends something, unless nothing is sent to the endpoint. */
export function unlessStopped(lane: Pick<Lane, "status"> | null, message: string): string {
  return stoppedMessage(lane?.status) ?? message;
}
