import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Validators } from "moleculer";
import { eventExamples } from "../../../services/api/openapi/event-examples.ts";
import { eventSchema } from "../../../services/api/openapi/event-schemas.ts";
import { routes } from "../../../services/api/routes.ts";
import { eventTypes } from "../../../services/contracts/events.ts";

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);

function faults(schema: object, value: unknown): unknown {
  return ajv.validate(schema, value) ? [] : ajv.errors;
}

const answers = routes.flatMap(({ method, path, responses }) =>
  Object.entries(responses).flatMap(([status, { schema, example }]) =>
    schema && example !== undefined ? [{ name: `${status} ${method} ${path}`, schema, example }] : [],
  ),
);

test.each(answers)("the answer $name is what its schema says", ({ schema, example }) => {
  expect(faults(schema, example)).toEqual([]);
});

test.each(eventTypes)("the event %s is what its schema says", type => {
  expect(faults(eventSchema(type), eventExamples[type])).toEqual([]);
});

const bodies = routes.flatMap(({ method, path, action: { params }, examples = {} }) =>
  Object.entries(examples).map(([name, body]) => ({
    name: `${method} ${path}: ${name}`,
    path,
    params,
    body,
  })),
);

test.each(bodies)("the body $name is taken", ({ path, params, body }) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, undefined]);
  const { $$strict, ...rules } = params;
  const inBody = Object.entries(rules).filter(([name]) => !inPath.some(([each]) => each === name));
  const check = new Validators.Fastest().compile({ $$strict, ...Object.fromEntries(inBody) } as never);
  expect(check(structuredClone(body))).toBe(true);
});
