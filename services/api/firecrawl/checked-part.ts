import { type FieldError, fail } from "../../contracts/errors.ts";
import type { Rule } from "../../contracts/schema.ts";
import { checkParams } from "../request/check-params.ts";
import { type Options, refuseOthers, rulesOf, type Version } from "./options.ts";

type Json = Record<string, unknown>;

/** The rules of each list of options, made once: a check compiles them. */
const ruleSets: Record<Version, WeakMap<Options, Record<string, Rule>>> = {
  v1: new WeakMap(),
  v2: new WeakMap(),
};

function rulesFor(options: Options, version: Version): Record<string, Rule> {
  const known = ruleSets[version].get(options) ?? rulesOf(options, version);
  ruleSets[version].set(options, known);
  return known;
}

/**
 * An object within a body, whose fields are named below `at`, without what is null. The gateway checks the fields of a body
 * only, so each object in it is checked here before the translation reads it. Throws a 400 that names the field.
 */
export function checkedPart(options: Options, part: object, version: Version, at: string): Json {
  refuseOthers(options, { ...part }, version, at);
  return checkedFields(rulesFor(options, version), part, at);
}

/** Checks an object within a body by rules alone: other fields pass. */
export function checkedFields(rules: Record<string, Rule>, part: object, at: string): Json {
  const given: Json = withoutNulls({ ...part });
  try {
    checkParams(rules, given);
  } catch (error) {
    throw placed(error as Error, at);
  }
  return given;
}

/** Clients send null for what they leave out. */
export function withoutNulls<Part extends object>(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null)) as Part;
}

function placed(error: Error, at: string): Error {
  const { details = [] } = Object((error as { data?: unknown }).data) as { details?: FieldError[] };
  const fields = details.map(({ field, code, message }) => ({
    ...{ field: at + field, code },
    message: message.replaceAll(field, at + field),
  }));
  return fail("validation_failed", fields[0]?.message ?? error.message, { details: fields }, error);
}
