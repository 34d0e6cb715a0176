import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { ScrapeRequest } from "../../sdk/typescript/src/index.ts";
import { CommandError, exitCodes } from "./failure.ts";

/** The options of every command. */
export interface Given {
  json?: boolean;
  server?: string;
}

/** The options that say how pages are read: `scrape`, `crawl` and `batch` have them. */
interface PageOptions {
  format?: string;
  js: boolean;
  wholePage?: boolean;
  mobile?: boolean;
  includeTag?: string[];
  excludeTag?: string[];
  waitFor?: string;
  maxAge?: number;
  country?: string;
  schema?: string;
  prompt?: string;
  actions?: string;
}

/** Adds the options that say how pages are read. */
export function pageOptions(command: Command): Command {
  return command
    .option("--whole-page", "include navigation, sidebars and footers")
    .option("--no-js", "without running scripts")
    .option("--mobile", "as a mobile device")
    .option("--include-tag <selector>", "only what this CSS selector finds; may be given again", collect)
    .option("--exclude-tag <selector>", "leave out what this CSS selector finds; may be given again", collect)
    .option("--wait-for <selector or ms>", "wait until an element is there, or for a time")
    .option(
      "--actions <file or JSON>",
      "what a browser does on the page first: a list as `js_render.actions`",
    )
    .option("--max-age <ms>", "accept an equal scrape of the same key that is not older", number)
    .option("--country <code>", "from this country, if the service has a proxy there");
}

/** The fields of a request that say how pages are read. */
type PageRequest = Pick<ScrapeRequest, "output" | "request" | "js_render" | "proxy" | "max_age">;

/**
 * Turns the options of a page into fields of a request. An option that is not given has no field, so the service's default
 * holds. The service checks the values and names what is wrong.
 */
export async function requestOf(options: object): Promise<PageRequest> {
  const given = options as PageOptions;
  const request = {
    ...(given.wholePage && { only_main_content: false }),
    ...(given.mobile && { device: "mobile" }),
    ...(given.includeTag && { include_tags: given.includeTag }),
    ...(given.excludeTag && { exclude_tags: given.excludeTag }),
  };
  const jsRender = {
    ...(!given.js && { enabled: false }),
    ...(given.waitFor !== undefined && { wait_for: waitFor(given.waitFor) }),
    ...(given.actions !== undefined && { actions: await actionsIn(given.actions) }),
  };
  const output = await outputOf(given);
  return {
    ...(output && { output }),
    ...(Object.keys(request).length > 0 && { request }),
    ...(Object.keys(jsRender).length > 0 && { js_render: jsRender }),
    ...(given.country !== undefined && { proxy: { location: given.country } }),
    ...(given.maxAge !== undefined && { max_age: given.maxAge }),
  } as PageRequest;
}

/** Turns the options of one format into the field `output`. */
export async function outputOf({
  format,
  schema,
  prompt,
}: Pick<PageOptions, "format" | "schema" | "prompt">) {
  if (format === undefined) return undefined;
  if (format !== "json") return { formats: [format] };
  const json = {
    ...(schema !== undefined && { json_schema: await jsonIn(schema) }),
    ...(prompt !== undefined && { prompt }),
  };
  return { formats: ["json"], json };
}

function waitFor(text: string) {
  return /^\d+$/.test(text) ? { ms: Number(text) } : { selector: text };
}

/** The options that choose events: endpoints and feeds have them. */
export interface WantedEvents {
  type?: string[];
  source?: string[];
  tag?: string[];
  meaningful?: boolean;
}

/** Adds the options that choose events. */
export function wantedEvents(command: Command): Command {
  return command
    .option("--type <type>", "only events of this type; may be given again", collect)
    .option("--source <id>", "only events of this source; may be given again", collect)
    .option("--tag <word>", "only events of sources with this tag; may be given again", collect)
    .option("--meaningful", "without changes that the judge of a source has dismissed");
}

/** Turns the options that choose events into fields of a request. */
export function wantedFields({ type, source, tag, meaningful }: WantedEvents): object {
  return {
    ...(type && { event_types: type }),
    ...(source && { sources: source }),
    ...(tag && { tags: tag }),
    ...(meaningful && { meaningful }),
  };
}

async function actionsIn(given: string): Promise<unknown[]> {
  const actions = await jsonIn(given);
  if (Array.isArray(actions)) return actions;
  throw new CommandError(
    '--actions takes a list, such as [{"type":"click","selector":"#more"}].',
    exitCodes.usage,
  );
}

/** Reads what an option gives as JSON that is an object: fields of a request, which the service checks. */
export async function fieldsIn(option: string, given: string | undefined) {
  const fields = given === undefined ? {} : await jsonIn(given);
  if (Object(fields) === fields && !Array.isArray(fields)) return Object(fields);
  throw new CommandError(
    `${option} takes an object with fields, such as {"tags":["shop"]}.`,
    exitCodes.usage,
  );
}

/** Reads JSON: a file, or the text itself where it begins as a list or an object does. */
export async function jsonIn(given: string): Promise<unknown> {
  const isText = /^\s*[[{]/.test(given);
  try {
    return JSON.parse(isText ? given : await readFile(given, "utf8"));
  } catch (cause) {
    const what = isText ? "What is given" : given;
    throw new CommandError(`${what} cannot be read as JSON (${(cause as Error).message}).`, exitCodes.usage);
  }
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Parses a whole number. */
export function number(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError("It takes a number.");
  return Number(text);
}

/** Formats examples for the end of a help text. */
export function examples(...lines: [command: string, meaning: string][]): string {
  return `\nExamples:\n${lines.map(([command, meaning]) => `  $ ${command}\n      ${meaning}`).join("\n")}\n`;
}
