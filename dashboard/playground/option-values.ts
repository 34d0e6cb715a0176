import type { Field } from "./option-fields.ts";

/** The value of a field: the chosen values of `choices`, true or false of a `switch`, and text of all others. */
export type Value = string | boolean | string[];

/** The values by the paths of their fields. A field that is absent has its preset. */
export type Values = Readonly<Record<string, Value>>;

export interface Mistake {
  path: string;
  message: string;
}

type Json = Record<string, unknown>;

/** The value of a field before anybody changes it. */
export function presetOf({ kind, preset }: Field): Value {
  if (kind === "switch") return preset === true;
  if (kind === "choices") return Array.isArray(preset) ? preset.map(String) : [];
  if (kind === "lines") return Array.isArray(preset) ? preset.join("\n") : "";
  return preset === undefined || preset === null ? "" : String(preset);
}

export function typedIn(field: Field, values: Values): Value {
  return values[field.path] ?? presetOf(field);
}

/** Makes the body of the request from values that differ from their presets and from required ones. */
export function bodyOf(fields: Field[], values: Values): { body: Json; mistakes: Mistake[] } {
  const body: Json = {};
  const mistakes: Mistake[] = [];
  for (const field of fields) {
    const value = typedIn(field, values);
    const isPreset = JSON.stringify(value) === JSON.stringify(presetOf(field));
    if (isPreset && !field.required) continue;
    const read = readValue(field, value);
    if ("message" in read) mistakes.push({ path: field.path, message: read.message });
    else if (read.value !== undefined) place(body, field.path.split("."), read.value);
  }
  return { body, mistakes };
}

function place(body: Json, [first = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const inner = (body[first] ?? {}) as Json;
  body[first] = inner;
  place(inner, rest, value);
}

type Read = { value: unknown } | { message: string };

/** Reads a value as JSON; undefined where nothing was typed. */
function readValue(field: Field, value: Value): Read {
  if (typeof value === "boolean") return { value };
  if (Array.isArray(value)) {
    if (value.length > 0) return { value: field.values.filter(each => value.includes(each)) };
    return { message: "Choose at least one." };
  }
  const text = field.kind === "prose" ? value : value.trim();
  if (text === "") return field.required ? { message: "This is required." } : { value: undefined };
  return readText(field, text);
}

function readText({ kind }: Field, text: string): Read {
  switch (kind) {
    case "number":
      return Number.isFinite(Number(text)) ? { value: Number(text) } : { message: "This must be a number." };
    case "lines":
      return { value: linesOf(text) };
    case "pairs":
      return /^[[{]/.test(text) ? readJson(text) : readPairs(text);
    case "json":
      return readJson(text);
    default:
      return { value: text };
  }
}

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { message: `This must be JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function readPairs(text: string): Read {
  const pairs: [string, string][] = [];
  for (const line of linesOf(text)) {
    const [, name, value] = /^([^:=]+)[:=](.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      return { message: `Write \`name: value\`, one a line. This line is different: ${line}` };
    pairs.push([name.trim(), value.trim()]);
  }
  return { value: Object.fromEntries(pairs) };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map(line => line.trim())
    .filter(line => line !== "");
}

/** Whether a field may hold a secret, for example an action that types a password. Addresses leave it out. */
export function isPrivate({ kind, path }: Field): boolean {
  return kind === "pairs" || path === "js_render.actions";
}

/**
 * Makes parameters of an address from the options, except cookies, headers and actions. An option with its preset is null,
 * which removes the parameter.
 */
export function toQuery(fields: Field[], values: Values): Record<string, string | null> {
  return Object.fromEntries(
    fields.map(field => {
      const value = typedIn(field, values);
      const isShown = !isPrivate(field) && JSON.stringify(value) !== JSON.stringify(presetOf(field));
      return [field.path, isShown ? String(value) : null];
    }),
  );
}

/** Reads the options of an address, except cookies, headers and actions. Unknown names are left out. */
export function fromQuery(fields: Field[], query: (name: string) => string): Values {
  const values: Record<string, Value> = {};
  for (const field of fields) {
    const text = isPrivate(field) ? "" : query(field.path);
    if (text !== "") values[field.path] = typed(field, text);
  }
  return values;
}

function typed({ kind, values }: Field, text: string): Value {
  if (kind === "switch") return text === "true";
  if (kind === "choices") return text.split(",").filter(value => values.includes(value));
  return text;
}
