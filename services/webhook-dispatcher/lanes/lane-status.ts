import { findPage } from "../../../mixins/store/pages.ts";
import type { Query } from "../../../mixins/store/store.ts";
import type { LaneSummary } from "../../contracts/admin.contract.ts";
import type { Webhook } from "../../contracts/endpoint-options.ts";
import type { Finding } from "../../contracts/health.contract.ts";
import type { ListPage, ListRequest } from "../../contracts/paging.ts";
import { hasFailed } from "../../domain/delivery/endpoint-health.ts";
import { isProbing, keyOf, laneShards, waitingIn } from "../../domain/delivery/lane.ts";
import type { QuotaUse } from "../../domain/quota/quotas.ts";
import type { WebhookContext } from "../context.ts";
import { endpointsOf, type StoredEndpoint, type StoredLane } from "../webhooks.store.ts";
import { isFiltered } from "./wanted-events.ts";

/** The endpoints of all keys, or of one, and the progress of their lanes. */
export async function listLanes(
  context: WebhookContext,
  { status, key_id, ...wanted }: ListRequest & { status?: Webhook["status"]; key_id?: string },
): Promise<ListPage<LaneSummary>> {
  const { query, ...which } =
    key_id === undefined ? { query: {}, ...wanted } : await ofOneKey(context, key_id, wanted);
  const { page, next_cursor } = await findPage(context.lanes, {
    ...which,
    descending: true,
    query: { ...query, ...(status && { status }) },
  });
  const endpoints = await context.endpoints.find({ query: { _id: { $in: page.map(({ _id }) => _id) } } });
  const known = new Map(endpoints.map(endpoint => [endpoint._id, endpoint]));
  const data = await Promise.all(page.map(lane => describeLane(context, lane, known.get(lane._id))));
  return { data, next_cursor, message: "Lanes listed." };
}

/** A page of one key's lanes. A query has one condition on an identity, so these are chosen by the cursor here. */
async function ofOneKey(
  { endpoints }: Pick<WebhookContext, "endpoints">,
  keyId: string,
  { cursor, limit }: ListRequest,
): Promise<{ query: Query<StoredLane>; limit: number }> {
  const ids = (await endpointsOf(endpoints, [keyId])).map(({ _id }) => _id);
  return { query: { _id: { $in: ids.filter(id => cursor === undefined || id < cursor) } }, limit };
}

/** How far the deliveries to an endpoint have come. */
export async function describeLane(
  context: Pick<WebhookContext, "log" | "wanted" | "quotas">,
  lane: StoredLane,
  endpoint: StoredEndpoint | undefined,
): Promise<LaneSummary> {
  const { _id, status, streak, probeAt, pausedUntil } = lane;
  // A pause that is over stays in the lane.
  const pause = pausedUntil > Date.now() ? pausedUntil : 0;
  const nextAt = Math.max(isProbing(lane) ? probeAt : 0, pause);
  const waiting = await waitingFor(context, lane, endpoint);
  return {
    key_id: keyOf(_id),
    webhook_id: endpoint?.webhookId ?? "",
    url: endpoint?.url ?? "",
    status: hasFailed(lane) ? "FAILED" : status,
    waiting,
    failures: streak.length,
    next_attempt_at: status !== "ACTIVE" || nextAt === 0 ? null : new Date(nextAt).toISOString(),
    held: status === "ACTIVE" && waiting > 0 ? await holdOf(context, keyOf(_id)) : null,
  };
}

/** The quota of deliveries that is used up, if there is one; of two the one that ends last. */
async function holdOf({ quotas }: Pick<WebhookContext, "quotas">, keyId: string): Promise<QuotaUse | null> {
  if (!(await quotas.has(keyId))) return null;
  const isUsedUp = ({ name, used, limit }: QuotaUse) => name === "deliveries" && used >= limit;
  return (await quotas.uses(keyId)).findLast(isUsedUp) ?? null;
}

/** Events that are compared with a filter, to count those that wait. */
const compared = { events: 200, bytes: 1_000_000 };
/** Without a filter only tests of others and word of itself are not wanted: they show where little else waits. */
const fewWaiting = 20;

/**
 * The events that wait for an endpoint: of one with a filter those that it wants among the next 200, and whatever
 * follows those.
 */
async function waitingFor(
  { log, wanted }: Pick<WebhookContext, "log" | "wanted">,
  lane: StoredLane,
  endpoint: StoredEndpoint | undefined,
): Promise<number> {
  const { latest } = await log.bounds(keyOf(lane._id));
  const all = waitingIn(lane, latest);
  const isCompared = endpoint && (isFiltered(endpoint) || all <= fewWaiting);
  if (!isCompared || latest <= lane.position) return all;
  const { events } = await log.readWithin(keyOf(lane._id), lane.position, compared);
  const kept = await wanted.of(endpoint, events);
  return Math.max(0, all - (events.length - kept.length));
}

/** The parts that are checked. */
interface CheckedParts {
  lanes: Pick<WebhookContext["lanes"], "count">;
  dispatcher: Pick<WebhookContext["dispatcher"], "shards" | "writeError">;
}

/**
 * Health findings for operators: whether outcomes can be stored (otherwise deliveries soon stop), whether this node has
 * lanes to work, and how many endpoints are FAILED. Failed endpoints concern their owners and do not degrade this
 * service.
 */
export async function checkDeliveries(
  { lanes, dispatcher }: CheckedParts,
  onError: (error: unknown) => void,
): Promise<Finding[]> {
  const share = shardFinding(dispatcher.shards.length);
  try {
    const failed = await lanes.count({ status: "FAILED" });
    if ((await dispatcher.writeError()) === undefined)
      return [{ name: "journal", status: "ok" }, share, endpointFinding(failed)];
  } catch (error) {
    onError(error);
  }
  const detail =
    "The outcomes of deliveries cannot be stored. Check the database or, without one, the disk, its free space and the permissions of DATA_DIR.";
  return [{ name: "journal", status: "missing", detail }, share];
}

function shardFinding(shards: number): Finding {
  if (shards === laneShards) return { name: "lanes", status: "ok" };
  if (shards > 0)
    return { name: "lanes", status: "ok", detail: `This node works ${shards} of ${laneShards} shards.` };
  const detail =
    "This node delivers nothing: it holds no lease of a lane shard. It takes its share within 15 s if Redis answers.";
  return { name: "lanes", status: "degraded", detail };
}

function endpointFinding(failed: number): Finding {
  if (failed === 0) return { name: "endpoints", status: "ok" };
  const detail = `${failed} FAILED; their events are kept for 72 hours. PATCH /webhooks/{id} delivers them.`;
  return { name: "endpoints", status: "ok", detail };
}
