import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { RE2JS } from "re2js";
import type { Fault } from "./recipe.ts";

export type Schema = Record<string, unknown>;

/** User patterns run in linear time (RE2), never by the backtracking engine. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text: string) => compiled.matcher(text).find() };
  },
  { code: "linearRegExp" },
);

const options: Options = {
  strict: false,
  logger: false,
  validateSchema: false,
  code: { regExp: linearRegExp },
  formats: fullFormats,
};

/**
 * Whether a value meets a schema that passed `checkSchema`: null when it does, else the first fault. Compiles the
 * schema, which can take long for hostile ones: run it where it can be killed.
 */
export function validate(schema: Schema, value: unknown): Fault | null {
  const check = engine(schema).compile(withoutId(schema));
  return check(value) ? null : toFault(check.errors?.[0]);
}

/** Checks values against parts of a schema: `pointer` is a JSON pointer such as `#/properties/price`. */
export function partChecker(schema: Schema): (pointer: string, value: unknown) => boolean {
  const ajv = engine(schema).addSchema(withoutId(schema), "root");
  const checks = new Map<string, (value: unknown) => unknown>();
  return (pointer, value) => {
    const check = checks.get(pointer) ?? ajv.compile({ $ref: `root${pointer}` });
    checks.set(pointer, check);
    return check(value) === true;
  };
}

function engine(schema: Schema): Ajv {
  return String(schema.$schema).includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
}

/** Ajv resolves references against `$id`; ours are all local. */
function withoutId({ $id: _, ...schema }: Schema): Schema {
  return schema;
}

function toFault(error: ErrorObject | undefined): Fault {
  const field = (error?.instancePath ?? "").slice(1).replaceAll("/", ".");
  return { field, code: error?.keyword ?? "schema", message: error?.message ?? "does not fit the schema" };
}
