import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { EventType } from "../../contracts/events.ts";
import { keyOf, replayAfter, replayOf } from "../../domain/delivery/lane.ts";
import { isoTimeOf } from "../../domain/text/iso-time.ts";
import type { WebhookContext } from "../context.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { noWebhook } from "./endpoints.ts";
import { unlessStopped } from "./list-endpoints.ts";

interface Replayed {
  data: { events: number };
  message: string;
}

/** Delivers the retained events since a time again, dead ones too. `laneId` names the endpoint. */
export async function replayWebhook(
  context: WebhookContext,
  laneId: string,
  since: string,
  now: number,
): Promise<Replayed> {
  const { endpoints, journal, dispatcher, log } = context;
  const time = timeOf("since", since, now);
  if (!(await endpoints.findById(laneId))) throw noWebhook();
  const position = await log.positionAt(keyOf(laneId), new Date(time));
  const { latest } = await log.bounds(keyOf(laneId));
  const replayed = await journal.write(laneId, batch => {
    const lane = batch.lane(laneId);
    const endpoint = lane && batch.endpoints.updateById(laneId, { $set: { former: [] } });
    if (!lane || !endpoint) return null;
    batch.setLane(laneId, replayAfter(lane, position, now));
    return { lane, endpoint };
  });
  if (!replayed) throw noWebhook();
  dispatcher.changed(replayed.endpoint);
  const events = Math.max(latest - position, 0);
  return {
    data: { events },
    message: unlessStopped(replayed.lane, "These events will be delivered again, in order."),
  };
}

function timeOf(field: "since" | "until", text: string, now = Number.POSITIVE_INFINITY): number {
  const time = isoTimeOf(text);
  if (Number.isNaN(time)) throw invalid(field, "invalid_time", `\`${field}\` must be an ISO 8601 time.`);
  if (time > now) throw invalid(field, "invalid_time", `\`${field}\` must be in the past.`);
  return time;
}

interface Choice {
  since?: string;
  until?: string;
  event_ids?: string[];
  event_types?: EventType[];
}

/** Events that one replay may choose, and those that it may read for that. */
const [mostChosen, mostRead] = [1_000, 20_000];
const portion = { events: 500, bytes: 4_000_000 };

/**
 * Delivers the chosen events of the log again, of those that the endpoint wants. All events since a time move its
 * position back, however many they are; any other choice makes retries of at most 1,000 events.
 */
export async function replayChosen(
  context: WebhookContext,
  endpoint: StoredEndpoint,
  { since, until, event_ids, event_types }: Choice,
  now: number,
): Promise<Replayed> {
  if (since !== undefined && !until && !event_ids && !event_types)
    return await replayWebhook(context, endpoint._id, since, now);
  if (!since && !event_ids)
    throw invalid("since", "required", "Give `since` or `event_ids`, so that it is clear what to deliver.");
  const from = since === undefined ? 0 : timeOf("since", since, now);
  const to = until === undefined ? undefined : timeOf("until", until);
  const ids = event_ids && new Set(event_ids);
  const fits = ({ id, type }: WrittenEvent) =>
    (!ids || ids.has(id)) && (!event_types || event_types.includes(type));
  const chosen = await chooseEvents(context, endpoint, { from, to, fits, atMost: ids?.size });
  const missing = event_ids?.find(id => !chosen.found.has(id));
  if (missing !== undefined)
    throw fail(
      "not_found",
      `There is no event \`${missing.slice(0, 64)}\` to deliver again. Events are kept for 72 hours, or longer where the operator has set it.`,
    );
  return await retryChosen(context, endpoint, chosen, now);
}

interface Chosen {
  /** Ids. */
  found: Set<string>;
  wanted: WrittenEvent[];
  /** Positions of those that the endpoint wants now, and would pass over for a filter that it had. */
  leftOut: Set<number>;
}

async function chooseEvents(
  { log, wanted }: Pick<WebhookContext, "log" | "wanted">,
  endpoint: StoredEndpoint,
  choice: {
    from: number;
    to: number | undefined;
    fits(event: WrittenEvent): boolean;
    atMost: number | undefined;
  },
): Promise<Chosen> {
  const keyId = keyOf(endpoint._id);
  const { oldest, latest } = await log.bounds(keyId);
  const end = choice.to === undefined ? latest : await log.positionAt(keyId, new Date(choice.to));
  const start =
    choice.from === 0 ? Math.max(oldest - 1, 0) : await log.positionAt(keyId, new Date(choice.from));
  // What a former filter left out is wanted now.
  const now = { ...endpoint, former: [] };
  const found = new Set<string>();
  const kept: WrittenEvent[] = [];
  const leftOut = new Set<number>();
  let position = start;
  while (position < end && found.size < (choice.atMost ?? Number.POSITIVE_INFINITY)) {
    const { events, more } = await log.readWithin(keyId, position, portion);
    const fitting = events.filter(event => event.seq <= end && choice.fits(event));
    for (const { id } of fitting) found.add(id);
    const mine = await wanted.of(now, fitting);
    kept.push(...mine);
    const comes = new Set(endpoint.former?.length ? await wanted.of(endpoint, mine) : mine);
    for (const event of mine) if (!comes.has(event)) leftOut.add(event.seq);
    position = events.at(-1)?.seq ?? end;
    if (kept.length > mostChosen || (position - start > mostRead && choice.atMost === undefined))
      throw tooMany();
    if (!more) break;
  }
  return { found, wanted: kept, leftOut };
}

function tooMany(): Error {
  const message = `These are more than ${mostChosen.toLocaleString("en")} events, or more than ${mostRead.toLocaleString("en")} to choose from. Give a shorter time, or \`since\` alone.`;
  return invalid("since", "too_many", message);
}

async function retryChosen(
  { journal, dispatcher }: WebhookContext,
  endpoint: StoredEndpoint,
  { wanted: events, leftOut }: Chosen,
  now: number,
): Promise<Replayed> {
  const laneId = endpoint._id;
  const replayed = await journal.write(laneId, batch => {
    const lane = batch.lane(laneId);
    if (lane) batch.setLane(laneId, replayOf(lane, events, now, leftOut));
    return lane;
  });
  if (!replayed) throw noWebhook();
  dispatcher.changed(endpoint);
  return {
    data: { events: events.length },
    message: unlessStopped(replayed, "These events will be delivered again, in order."),
  };
}
