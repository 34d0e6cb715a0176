import type { FieldError } from "../../contracts/errors.ts";

/** One finding of fastest-validator. */
export interface Fault {
  type: string;
  field?: string;
  message?: string;
  expected?: unknown;
  actual?: unknown;
}

const maxDetails = 50;

type Sentence = (fault: Fault) => string;

const sentences: Record<string, Sentence> = {
  required: () => "is required",
  string: () => "must be a string",
  stringEmpty: () => "must not be empty",
  stringMin: ({ expected }) =>
    expected === 1 ? "must not be empty" : `must have at least ${expected} characters`,
  stringMax: ({ expected }) => `must have at most ${expected} characters`,
  stringLength: ({ expected }) => `must have ${expected} characters`,
  // A rule that has words of its own begins them so.
  stringPattern: ({ message = "" }) =>
    message.startsWith("must ") ? message : "does not have the required form",
  number: () => "must be a number",
  numberMin: ({ expected }) => `must be at least ${expected}`,
  numberMax: ({ expected }) => `must be at most ${expected}`,
  numberInteger: () => "must be a whole number",
  boolean: () => "must be true or false",
  array: () => "must be a list",
  arrayMin: ({ expected }) => `must have at least ${expected} items`,
  arrayMax: ({ expected }) => `must have at most ${expected} items`,
  arrayUnique: () => "must not name anything twice",
  enumValue: ({ expected }) => `must be one of: ${expected}`,
  object: () => "must be an object",
  record: () => "must be an object",
};

/** Codes that read better than fastest-validator's own names in snake case. */
const codes: Record<string, string> = { enumValue: "not_allowed", objectStrict: "unknown_field" };

/** What a client is told of refused parameters: a detail per field, and one for every unknown field. */
export function fieldErrors(faults: Fault[]): FieldError[] {
  const details = faults.flatMap(fault =>
    fault.type === "objectStrict" ? unknownFields(fault) : [detail(fault)],
  );
  const distinct = new Map(details.map(each => [`${each.field} ${each.code}`, each]));
  return [...distinct.values()].slice(0, maxDetails);
}

function unknownFields({ field, actual, expected }: Fault): FieldError[] {
  const known = String(expected ?? "").replace(/^"|"$/g, "");
  return String(actual)
    .split(", ")
    .map(name => {
      const path = clipped(field ? `${field}.${name}` : name);
      return {
        field: path,
        code: "unknown_field",
        message: `\`${path}\` is not a known field. ${known ? `Known are: ${known}.` : "None is taken here."}`,
      };
    });
}

function detail(fault: Fault): FieldError {
  const field = dotted(clipped(fault.field ?? ""));
  const rest = sentences[fault.type]?.(fault) ?? "is not valid";
  return { field, code: codes[fault.type] ?? snakeCase(fault.type), message: `\`${field}\` ${rest}.` };
}

/** fastest-validator writes list items as `formats[0]` and odd names as `a['b-c']`. */
function dotted(field: string): string {
  return field.replace(/\['?([^\]']*)'?\]/g, ".$1");
}

function clipped(field: string): string {
  return field.length > 128 ? `${field.slice(0, 128)}…` : field;
}

function snakeCase(type: string): string {
  return type.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
