import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { fail } from "../../contracts/errors.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import type { WebhookContext } from "../context.ts";
import { hasProblem, type Transformed } from "../expressions/jobs.ts";
import { toBuffered } from "../lanes/active-lane.ts";
import { transformed } from "../lanes/transformed.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { admitExpressions } from "./expressions-of.ts";

interface Tried {
  event_id?: string;
  filter?: string | null;
  transform?: string | null;
}

type Context = Pick<WebhookContext, "log" | "wanted" | "expressions">;

/** What the filter and the transform of an endpoint, or others in their place, make of an event. */
export async function testTransform(context: Context, endpoint: StoredEndpoint, tried: Tried) {
  const keyId = keyOf(endpoint._id);
  await admitExpressions(context, keyId, tried);
  const { filter = endpoint.filter ?? null, transform = endpoint.transform ?? null, event_id } = tried;
  const unfiltered = { ...endpoint, filter: null, former: [] };
  const event =
    event_id === undefined ? await latestOf(context, unfiltered) : await eventWith(context, keyId, event_id);
  const [match = true] = filter === null ? [] : await context.expressions.match(keyId, filter, [event.json]);
  const isOfType = (await context.wanted.of(unfiltered, [event])).length > 0;
  const passes = isOfType && match !== false;
  const made = await bodyOf(context, { ...endpoint, transform }, event);
  const data = {
    event: JSON.parse(event.json) as Record<string, unknown>,
    passes,
    filter_problem: hasProblem(match) ? match.problem : null,
    ...(hasProblem(made)
      ? { content_type: null, body: null, transform_problem: made.problem }
      : { content_type: made.contentType, body: made.body, transform_problem: null }),
  };
  return { data, message: `The event would ${passes ? "" : "not "}be delivered.` };
}

/** With a format of its own that is not made by JSONata, the event as `standard` has it. */
async function bodyOf(
  { expressions }: Context,
  { _id: laneId, url, format, template, transform }: StoredEndpoint,
  event: WrittenEvent,
): Promise<Transformed> {
  const target = {
    laneId,
    url: new URL(url),
    format: transform ? "standard" : format,
    template,
    transform,
  } as const;
  const made = await transformed(expressions, target, event.json, [toBuffered(event)]);
  return made ?? { contentType: "application/json", body: event.json };
}

const portion = { events: 256, bytes: 4_000_000 };

/** The latest event that an endpoint wants, among the last ones of the key; else the latest of all. */
async function latestOf({ log, wanted }: Context, endpoint: StoredEndpoint): Promise<WrittenEvent> {
  const keyId = keyOf(endpoint._id);
  const { oldest, latest } = await log.bounds(keyId);
  const from = Math.max(oldest - 1, latest - portion.events, 0);
  const { events } = await log.readWithin(keyId, from, portion);
  const event = (await wanted.of(endpoint, events)).at(-1) ?? events.at(-1);
  if (event) return event;
  throw fail("not_found", "This key has no events yet. POST /webhooks/{id}/test makes one.");
}

async function eventWith({ log }: Context, keyId: string, id: string): Promise<WrittenEvent> {
  const { oldest } = await log.bounds(keyId);
  for (let from = Math.max(oldest - 1, 0); ; ) {
    const { events, more } = await log.readWithin(keyId, from, portion);
    const event = events.find(each => each.id === id);
    if (event) return event;
    if (!more) break;
    from = events.at(-1)?.seq ?? from + 1;
  }
  throw fail("not_found", "This key has no event with this id. Events are kept for 72 hours.");
}
