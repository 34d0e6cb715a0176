import { isDeepStrictEqual } from "node:util";
import { invalid } from "../../contracts/errors.ts";
import type { PageAction } from "../../contracts/page-actions.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";
import type { Rule } from "../../contracts/schema.ts";
import { present } from "../../domain/json/fields.ts";
import { checkedFields } from "./checked-part.ts";
import { refuse, rules, type Version } from "./options.ts";

/** A format as clients send it: its name, or an object with its options. */
export type FormatSent = string | ({ type?: unknown } & Record<string, unknown>);

/** What the formats become: the output, and the window that a screenshot asks for. */
export interface Formats {
  output: Pick<OutputOptions, "formats"> & Partial<OutputOptions>;
  viewport?: unknown;
}

/** What v1 says of JSON beside the formats. */
export interface JsonSent {
  prompt?: string;
  schema?: unknown;
}

/** What is said of changes: in the format, and in v1 beside it. */
export interface ChangesSent {
  modes?: string[];
  tag?: string | null;
  schema?: unknown;
  prompt?: string;
}

type Format = OutputOptions["formats"][number];

/** Names of formats that are formats here, too. */
export const formatNames: Record<string, Format> = {
  markdown: "markdown",
  html: "html",
  rawHtml: "raw_html",
  links: "links",
  images: "images",
  summary: "summary",
  screenshot: "screenshot",
  json: "json",
  changeTracking: "changes",
};

/** Names of formats that only one version has. */
const namesOf: Record<Version, Record<string, Format>> = {
  v1: { "screenshot@fullPage": "screenshot", extract: "json" },
  // Version 2 replaced it by an option, and its Python client still sends it.
  v2: { "screenshot@fullPage": "screenshot" },
};

/** What is said of changes, in the format or in v1 beside it. */
export const changesRules = {
  modes: { type: "array", optional: true, max: 10, items: { type: "string" } },
  schema: rules.object,
  prompt: rules.text,
  tag: { ...rules.text, nullable: true },
} as const satisfies Record<string, Rule>;

/** Options of formats that are objects. What another asks for is refused by name. */
const optionsOf: Partial<Record<Format, Record<string, Rule>>> = {
  json: { prompt: rules.text, schema: rules.object },
  changes: changesRules,
  screenshot: { fullPage: rules.flag, quality: rules.number, viewport: rules.object },
};

/** Formats into our output; throws a 400 that names the first that Magpie does not have. */
export function formatsOf(
  sent: FormatSent[] | undefined,
  json: JsonSent | undefined,
  version: Version,
  tracking: ChangesSent = {},
  at = "",
): Formats {
  const formats = (sent ?? ["markdown"]).map((each, nth) => formatOf(each, `${at}formats.${nth}`, version));
  const screenshot = formats.find(({ name }) => name === "screenshot")?.options;
  const wanted = formats.find(({ name }) => name === "json")?.options;
  const compared = formats.findIndex(({ name }) => name === "changes");
  const changes = compared < 0 ? undefined : { ...tracking, ...formats[compared]?.options };
  const output = {
    formats: [...new Set(formats.map(({ name }) => name))],
    ...(screenshot?.fullPage === true && { screenshot: "full_page" as const }),
    ...(wanted && { json: jsonOf({ ...json, ...wanted }) }),
    ...(changes && comparedBy(changes, wanted && { ...json, ...wanted }, `${at}formats.${compared}`)),
  };
  return { output, ...(screenshot?.viewport !== undefined && { viewport: screenshot.viewport }) };
}

function formatOf(sent: FormatSent, field: string, version: Version) {
  const { type, ...options } = typeof sent === "string" ? { type: sent } : sent;
  const names: Record<string, Format> = { ...formatNames, ...namesOf[version] };
  const name = typeof type === "string" && Object.hasOwn(names, type) ? names[type] : undefined;
  if (name === undefined)
    throw refuse(field, `the format ${JSON.stringify(type)}. It has ${Object.keys(names).join(", ")}.`);
  const known = optionsOf[name] ?? {};
  const other = Object.keys(options).find(each => options[each] && !Object.hasOwn(known, each));
  if (other !== undefined) throw refuse(`${field}.${other}`, `an option of the format ${name}.`);
  if (type === "screenshot@fullPage") return { name, options: { fullPage: true } };
  return { name, options: checkedFields(known, options, `${field}.`) as FormatOptions };
}

type FormatOptions = JsonSent & ChangesSent & { fullPage?: unknown; viewport?: unknown };

/** How pages are compared. The JSON that is compared is that of the format json, so both want the same. */
function comparedBy(
  { modes = [], tag, schema, prompt }: ChangesSent,
  json: JsonSent | undefined,
  field: string,
): Partial<OutputOptions> {
  const ours = modes.map((mode, at) => modeOf(mode, `${field}.modes.${at}`));
  const changes = { modes: [...new Set(ours)], ...(tag && { tag }) };
  if (!ours.includes("json")) return { changes };
  const own = present({ schema: isEmpty(schema) ? undefined : schema, prompt: prompt || undefined });
  if (!json) return { changes, json: jsonOf(own) };
  const isOther =
    Object.keys(own).length > 0 &&
    !isDeepStrictEqual(own, present({ schema: json.schema, prompt: json.prompt }));
  if (isOther) throw refuse(`${field}.schema`, "another schema or prompt than that of the format json.");
  return { changes };
}

function modeOf(mode: string, field: string): "diff" | "json" {
  if (mode === "json") return "json";
  if (mode === "git-diff") return "diff";
  throw refuse(field, `the mode ${JSON.stringify(mode)}. It has git-diff and json.`);
}

function isEmpty(schema: unknown): boolean {
  return schema === undefined || schema === null || Object.keys(Object(schema)).length === 0;
}

function jsonOf({ prompt, schema }: JsonSent): NonNullable<OutputOptions["json"]> {
  if (prompt === undefined && isEmpty(schema))
    throw invalid("formats", "required", "The format json needs a `prompt`, a `schema` or both.");
  return {
    ...(prompt !== undefined && { prompt }),
    ...(!isEmpty(schema) && { json_schema: schema as Record<string, unknown> }),
  };
}

/** An action as clients send it. */
export type ActionSent = { type?: unknown } & Record<string, unknown>;

/** Actions under their names there, and the names of their fields here. */
const actions: Record<string, { type: PageAction["type"]; fields: Record<string, keyof PageAction> }> = {
  wait: { type: "wait", fields: { milliseconds: "ms", selector: "selector" } },
  click: { type: "click", fields: { selector: "selector" } },
  write: { type: "type", fields: { text: "text", selector: "selector" } },
  press: { type: "press", fields: { key: "key" } },
  scroll: { type: "scroll", fields: { direction: "direction", selector: "selector" } },
  screenshot: { type: "screenshot", fields: { fullPage: "full_page", quality: "full_page" } },
};

/** Actions into ours. Throws a 400 that names the first action or field that Magpie does not have. */
export function actionsOf(sent: ActionSent[], at = ""): Partial<PageAction>[] {
  return sent.map((each, nth) => actionOf(each, `${at}actions.${nth}`));
}

function actionOf({ type, ...sent }: ActionSent, field: string): Partial<PageAction> {
  const known = typeof type === "string" && Object.hasOwn(actions, type) ? actions[type] : undefined;
  if (!known)
    throw refuse(field, `the action ${JSON.stringify(type)}. It has ${Object.keys(actions).join(", ")}.`);
  const other = Object.keys(sent).find(name => sent[name] && !Object.hasOwn(known.fields, name));
  if (other !== undefined) throw refuse(`${field}.${other}`, `an option of the action ${type}.`);
  const named = Object.entries(sent).flatMap(([name, value]) => renamed(known.fields[name], name, value));
  // Theirs scrolls down without a direction; ours needs one.
  const direction = known.type === "scroll" && !sent.direction ? { direction: "down" as const } : {};
  return { type: known.type, ...Object.fromEntries(named), ...direction };
}

/** Pictures are PNG: there is no quality to choose. */
function renamed(ours: string | undefined, name: string, value: unknown): [string, unknown][] {
  return ours === undefined || name === "quality" || value === null || value === undefined
    ? []
    : [[ours, value]];
}
