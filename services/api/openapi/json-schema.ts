import type { ParamsSchema } from "../../contracts/action.ts";
import { type Fields, isOptional, type Rule } from "../../contracts/schema.ts";
import { present } from "../../domain/json/fields.ts";
import type { NamedParts } from "./components.ts";

type Json = Record<string, unknown>;

/** How rules are seen: as what a request holds, which the validator checks, or as what an answer does. */
interface View {
  readonly side: "request" | "answer";
  /** Where rules with a name have their schemas, to be referred to; without it every schema is written out. */
  readonly names?: NamedParts | undefined;
}

/** The JSON Schema (2020-12) of what an operation takes. */
export function toJsonSchema(params: ParamsSchema, names?: NamedParts): Json {
  const view = { side: "request", names } as const;
  return requestObject(Object.fromEntries(fieldsOf(params)), params.$$strict === true, view);
}

/** What an operation takes, each parameter with its rule. */
export function fieldsOf(params: ParamsSchema): [name: string, Rule][] {
  return Object.entries(params).filter((field): field is [string, Rule] => typeof field[1] !== "boolean");
}

/** The schema of one parameter. */
export function ruleSchema(rule: Rule, names?: NamedParts): Json {
  return schemaOf(rule, { side: "request", names });
}

/** The schema of what an operation answers: no field is absent but the optional ones. */
export function answerSchema(rule: Rule, names?: NamedParts): Json {
  return schemaOf(rule, { side: "answer", names });
}

function schemaOf(rule: Rule, view: View): Json {
  const { name } = rule;
  const schema = convert(rule, view);
  const own = name !== undefined && view.names ? view.names.refer(name, schema) : schema;
  const described = { ...own, ...annotations(rule) };
  return rule.nullable === true ? nullable(described) : described;
}

function convert(rule: Rule, view: View): Json {
  switch (rule.type) {
    case "string":
      return {
        type: "string",
        ...present({
          format: rule.format,
          minLength: rule.length ?? rule.min,
          maxLength: rule.length ?? rule.max,
          pattern: rule.pattern instanceof RegExp ? rule.pattern.source : rule.pattern,
        }),
      };
    case "number":
      return {
        type: rule.integer === true ? "integer" : "number",
        ...present({ minimum: rule.min, maximum: rule.max }),
      };
    case "boolean":
      return { type: "boolean" };
    case "enum":
      return { type: "string", enum: rule.values };
    case "equal":
      return rule.value === null ? { type: "null" } : { type: typeof rule.value, const: rule.value };
    case "array":
      return {
        type: "array",
        items: schemaOf(rule.items, view),
        ...present({
          minItems: rule.min,
          maxItems: rule.max,
          uniqueItems: rule.unique === true ? true : undefined,
        }),
      };
    case "object":
      if (!rule.props) return { type: "object", additionalProperties: true };
      return view.side === "request"
        ? requestObject(rule.props, rule.strict === true, view)
        : answerObject(rule.props, view);
    case "record":
      return {
        type: "object",
        additionalProperties: schemaOf(rule.value, view),
        ...present({ propertyNames: rule.key && schemaOf(rule.key, view) }),
      };
    case "multi":
      return alternatives(rule, view);
    case "any":
      return rule.shape ? schemaOf(rule.shape, { ...view, side: "answer" }) : {};
  }
}

/** Several schemas, of which one fits; where a field says which, with the reference for each of its values. */
function alternatives({ rules, discriminator }: Extract<Rule, { type: "multi" }>, view: View): Json {
  const schemas = rules.map(rule => schemaOf(rule, view));
  if (discriminator === undefined) return { anyOf: schemas };
  if (!view.names) return { oneOf: schemas };
  const mapping = rules.map((rule, at) => [constantOf(rule, discriminator), schemas[at]?.$ref]);
  return {
    oneOf: schemas,
    discriminator: { propertyName: discriminator, mapping: Object.fromEntries(mapping) },
  };
}

/** The one value that a field of an object has. */
function constantOf(rule: Rule, field: string): unknown {
  const constant = rule.type === "object" ? rule.props?.[field] : undefined;
  return constant?.type === "equal" ? constant.value : undefined;
}

function requestObject(fields: Fields, strict: boolean, view: View): Json {
  const required = Object.keys(fields).filter(name => !isOptional(fields[name] as Rule));
  return {
    type: "object",
    properties: mapped(fields, rule => requestField(rule, view)),
    ...(required.length ? { required } : {}),
    ...(strict ? { additionalProperties: false } : {}),
  };
}

/** A field of a body: one that may be left out may be null as well, which means the same. */
function requestField(rule: Rule, view: View): Json {
  const schema = schemaOf(rule, view);
  return isOptional(rule) && rule.nullable === undefined ? nullable(schema) : schema;
}

function answerObject(fields: Fields, view: View): Json {
  const required = Object.keys(fields).filter(name => !isOptional(fields[name] as Rule));
  return {
    type: "object",
    ...(required.length ? { required } : {}),
    properties: mapped(fields, rule => schemaOf(rule, view)),
  };
}

function mapped(fields: Fields, schema: (rule: Rule) => Json): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, schema(rule)]));
}

function annotations({ default: value, description }: Rule): Json {
  return present({ default: value, description });
}

/** The schema with null allowed. A schema without a type, values or alternatives allows it already. */
function nullable(schema: Json): Json {
  const { type, anyOf, oneOf, discriminator, $ref, ...rest } = schema;
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: "null" }], ...rest };
  if (schema.const !== undefined) return { anyOf: [schema, { type: "null" }] };
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (oneOf !== undefined)
    return { anyOf: [{ oneOf, ...present({ discriminator }) }, { type: "null" }], ...rest };
  const values = Array.isArray(schema.enum) && { enum: [...schema.enum, null] };
  return { ...schema, ...(typeof type === "string" ? { type: [type, "null"] } : {}), ...values };
}
