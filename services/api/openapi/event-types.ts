import { eventTypes } from "../../contracts/events.ts";
import { pageOfShort, pageWith, shortPage } from "../../contracts/paging.ts";
import { named, text } from "../../contracts/schema.ts";
import { checkParams } from "../request/check-params.ts";
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

const params = { $$strict: true, ...pageOfShort } as const;

/** Answers with the types of events. */
export const eventCatalogue: OwnAnswer = {
  kind: "own",
  params,
  result: pageWith(eventTypeDoc),
  answer: (_, asked) => {
    checkParams(params, asked);
    const places = new Map(catalogue.map(({ type }, at) => [type, String(at).padStart(3, "0")]));
    const page = shortPage(catalogue, ({ type }) => places.get(type) ?? "", asked);
    return { body: { ...page, message: "Types of events listed." } };
  },
};
