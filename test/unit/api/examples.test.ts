import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Validators } from "moleculer";
import { eventExamples } from "../../../services/api/openapi/event-examples.ts";
import { eventSchema } from "../../../services/api/openapi/event-schemas.ts";
import { ruleSchema } from "../../../services/api/openapi/json-schema.ts";
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

const requests = routes.flatMap(({ method, path, action: { params }, examples = {} }) =>
  Object.entries(examples).map(([name, body]) => ({
    name: `${method} ${path}: ${name}`,
    inPath: method === "GET" ? [] : [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    params,
    body,
  })),
);

test.each(requests)("the request $name is taken", ({ inPath, params, body }) => {
  const rules = Object.entries(params).filter(([name]) => !inPath.includes(name));
  const check = new Validators.Fastest().compile(Object.fromEntries(rules) as never);
  expect(check(structuredClone(body))).toBe(true);
});

const fields = routes.flatMap(({ method, path, hidden, action: { params } }) =>
  Object.entries(hidden ? {} : params)
    .filter(([name]) => !name.startsWith("$$"))
    .map(([field, rule]) => ({ name: `${field} of ${method} ${path}`, rule })),
);

test.each(fields)("$name is described", ({ rule }) => {
  expect(ruleSchema(rule).description).toMatch(/\.$/);
});
