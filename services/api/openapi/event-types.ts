import { eventTypes } from "../../contracts/events.ts";
import { list, named, object, text } from "../../contracts/schema.ts";
import type { OwnAnswer } from "../routes/route.ts";
import { eventSchema, summaries } from "./events.ts";
import { eventExamples } from "./examples.ts";

const eventTypeDoc = named("EventTypeDescription", {
  type: text,
  description: text,
  schema: { type: "object", description: "JSON Schema of the event." },
  example: { type: "object", description: "An event of this type." },
});

/** The types of events, from what the OpenAPI document says of them. */
const catalogue = eventTypes.map(type => ({
  type,
  description: summaries[type],
  schema: eventSchema(type),
  example: eventExamples[type],
}));

/** Answers with the types of events. */
export const eventCatalogue: OwnAnswer = {
  kind: "own",
  params: {},
  result: object({ data: list(eventTypeDoc) }),
  answer: () => ({ body: { data: catalogue } }),
};
