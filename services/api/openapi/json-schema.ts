import type { ParamsSchema } from "../../contracts/action.ts";
import { type Fields, isOptional, type Rule } from "../../contracts/schema.ts";

type Json = Record<string, unknown>;

/** Where a rule describes data: in a request, which the validator checks, or in an answer. */
type Side = "request" | "answer";

/** The JSON Schema (2020-12) of what an operation takes. */
export function toJsonSchema(params: ParamsSchema): Json {
  return requestObject(Object.fromEntries(fieldsOf(params)), params.$$strict === true);
}

/** What an operation takes, each parameter with its rule. */
export function fieldsOf(params: ParamsSchema): [name: string, Rule][] {
  return Object.entries(params).filter((field): field is [string, Rule] => typeof field[1] !== "boolean");
}

/** The schema of one parameter. */
export function ruleSchema(rule: Rule): Json {
  return schemaOf(rule, "request");
}

/** The schema of what an operation answers: no field is absent but the optional ones. */
export function answerSchema(rule: Rule): Json {
  return schemaOf(rule, "answer");
}

function schemaOf(rule: Rule, side: Side): Json {
  const described = { ...convert(rule, side), ...annotations(rule) };
  return rule.nullable === true ? nullable(described) : described;
}

function convert(rule: Rule, side: Side): Json {
  switch (rule.type) {
    case "string":
      return {
        type: "string",
        ...defined({
          format: rule.format,
          minLength: rule.length ?? rule.min,
          maxLength: rule.length ?? rule.max,
          pattern: rule.pattern instanceof RegExp ? rule.pattern.source : rule.pattern,
        }),
      };
    case "number":
      return {
        type: rule.integer === true ? "integer" : "number",
        ...defined({ minimum: rule.min, maximum: rule.max }),
      };
    case "boolean":
      return { type: "boolean" };
    case "enum":
      return { ...(side === "request" ? { type: "string" } : {}), enum: rule.values };
    case "equal":
      return rule.value === null ? { type: "null" } : { const: rule.value };
    case "array":
      return {
        type: "array",
        items: schemaOf(rule.items, side),
        ...defined({
          minItems: rule.min,
          maxItems: rule.max,
          uniqueItems: rule.unique === true ? true : undefined,
        }),
      };
    case "object":
      if (!rule.props) return { type: "object" };
      return side === "request" ? requestObject(rule.props, rule.strict === true) : answerObject(rule.props);
    case "record":
      return {
        type: "object",
        additionalProperties: schemaOf(rule.value, side),
        ...defined({ propertyNames: rule.key && schemaOf(rule.key, side) }),
      };
    case "multi":
      return { anyOf: rule.rules.map(each => schemaOf(each, side)) };
    case "any":
      return {};
  }
}

function requestObject(fields: Fields, strict: boolean): Json {
  const required = Object.keys(fields).filter(name => !isOptional(fields[name] as Rule));
  return {
    type: "object",
    properties: mapped(fields, requestField),
    ...(required.length ? { required } : {}),
    ...(strict ? { additionalProperties: false } : {}),
  };
}

/** A field of a body: one that may be left out may be null as well, which means the same. */
function requestField(rule: Rule): Json {
  const schema = ruleSchema(rule);
  return isOptional(rule) ? nullable(schema) : schema;
}

function answerObject(fields: Fields): Json {
  return {
    type: "object",
    required: Object.keys(fields).filter(name => !isOptional(fields[name] as Rule)),
    properties: mapped(fields, answerSchema),
  };
}

function mapped(fields: Fields, schema: (rule: Rule) => Json): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, schema(rule)]));
}

function annotations({ default: value, description }: Rule): Json {
  return defined({ default: value, description });
}

/** The schema with null allowed. A schema without a type, values or alternatives allows it already. */
function nullable(schema: Json): Json {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  const values = Array.isArray(schema.enum) && { enum: [...schema.enum, null] };
  return { ...schema, ...(typeof type === "string" ? { type: [type, "null"] } : {}), ...values };
}

function defined(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
