import { newsOf } from "../../domain/delivery/formats/news.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import type { Expressions } from "../expressions/expressions.ts";
import type { Problem, Transformed } from "../expressions/jobs.ts";
import type { Answer } from "../sending/send.ts";
import type { OutgoingEvent } from "./active-lane.ts";

/** The body that an expression makes of what would be sent in the standard format. */
export function transformed(
  expressions: Pick<Expressions, "transform">,
  { laneId, transform }: { laneId: string; transform: string },
  standard: string,
  outgoing: readonly OutgoingEvent[],
): Promise<Transformed> {
  return expressions.transform(keyOf(laneId), transform, standard, bindingsOf(transform, outgoing));
}

/** The variables of an expression: what the events say to people, where it asks for that. */
function bindingsOf(transform: string, outgoing: readonly OutgoingEvent[]): Record<string, unknown> {
  return transform.includes("$news") ? { news: outgoing.map(({ body }) => newsOf(body)) } : {};
}

/** Nothing was sent; it is this event that the owner's expression fails for. */
export function notTransformed({ problem }: Problem): Answer {
  return { status: null, error: "transform", retryAfter: undefined, text: problem, blame: "event" };
}
