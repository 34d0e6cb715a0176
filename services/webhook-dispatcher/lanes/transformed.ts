import { builtIns, isBuiltIn, variablesOf } from "../../domain/delivery/formats/messages.ts";
import { newsOf } from "../../domain/delivery/formats/news.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import type { Expressions } from "../expressions/expressions.ts";
import type { Problem, Transformed } from "../expressions/jobs.ts";
import type { Answer } from "../sending/send.ts";
import type { OutgoingEvent } from "./active-lane.ts";
import type { Target } from "./target.ts";

/**
 * The body that JSONata makes of what would be sent in the standard format: the owner's own, or that of a built-in message;
 * undefined where the format needs none.
 */
export async function transformed(
  expressions: Pick<Expressions, "transform">,
  target: Pick<Target, "laneId" | "url" | "format" | "template" | "transform">,
  standard: string,
  outgoing: readonly OutgoingEvent[],
): Promise<Transformed | undefined> {
  const { laneId, url, format = "standard", template = null, transform } = target;
  const events = outgoing.map(({ body }) => body);
  const keyId = keyOf(laneId);
  if (isBuiltIn(format)) {
    const variables = variablesOf(format, url, template, events);
    return await expressions.transform(keyId, builtIns[format].transform, standard, variables);
  }
  if (!transform) return undefined;
  // What the events say to people, where it asks for that.
  const variables = transform.includes("$news") ? { news: events.map(newsOf) } : {};
  return await expressions.transform(keyId, transform, standard, variables);
}

/** Nothing was sent; it is this event that the expression fails for. */
export function notTransformed({ problem }: Problem): Answer {
  return { status: null, error: "transform", retryAfter: undefined, text: problem, blame: "event" };
}
