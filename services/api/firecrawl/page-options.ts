import { invalid } from "../../contracts/errors.ts";
import type { PageAction } from "../../contracts/page-actions.ts";
import type { PageOptions, RequestOptions } from "../../contracts/page-options.ts";
import type { Rule } from "../../contracts/schema.ts";
import { present } from "../../domain/json/fields.ts";
import { checkedPart, withoutNulls } from "./checked-part.ts";
import {
  type ActionSent,
  actionsOf,
  type ChangesSent,
  changesRules,
  type FormatSent,
  formatsOf,
  type JsonSent,
} from "./formats.ts";
import {
  differs,
  fieldsOf,
  ignored,
  type Options,
  only,
  refuse,
  refused,
  rules,
  same,
  type Version,
} from "./options.ts";

const formats: Rule = {
  type: "array",
  optional: true,
  max: 20,
  items: { type: "multi", rules: [{ type: "string" }, { type: "object" }] },
};
const actions: Rule = { type: "array", optional: true, max: 50, items: { type: "object" } };
const json: Rule = {
  type: "object",
  optional: true,
  props: { prompt: rules.text, schema: rules.object, systemPrompt: rules.any },
};
const tracking: Rule = { type: "object", optional: true, props: changesRules };
const location: Rule = {
  type: "object",
  optional: true,
  props: { country: rules.text, languages: rules.texts },
};

/** What Firecrawl's `scrapeOptions` are here, wherever a page is read. */
export const pageOptionsSent = {
  formats: differs(
    formats,
    "output.formats",
    "markdown, html, rawHtml, links, images, summary, screenshot, json and changeTracking. Others are refused by name: attributes, audio, branding, highlights, menu, product, query, question, video. A screenshot is a PNG whatever its `quality`; its address works for a day without a key",
  ),
  jsonOptions: only("v1", same(json, "output.json", "`systemPrompt` is refused")),
  extract: only("v1", same(json, "output.json", "`systemPrompt` is refused")),
  changeTrackingOptions: only("v1", same(tracking, "output.changes")),
  onlyMainContent: same(rules.flag, "request.only_main_content"),
  includeTags: same(rules.texts, "request.include_tags", "CSS selectors"),
  excludeTags: same(rules.texts, "request.exclude_tags", "CSS selectors"),
  headers: differs(
    rules.object,
    "request.headers",
    "sent to the page's own origin only; not those of the connection",
  ),
  waitFor: same(rules.number, "js_render.wait_for.ms"),
  actions: differs(
    actions,
    "js_render.actions",
    "wait, click, write, press, scroll and screenshot. scrape, executeJavascript, pdf and click with `all` are refused",
  ),
  mobile: same(rules.flag, "request.device"),
  skipTlsVerification: same(
    rules.flag,
    "request.skip_tls_verification",
    "the default of v1 is false, of v2 true",
  ),
  location: differs(
    location,
    "proxy.location",
    "`country` needs a proxy of the operator there; the first of `languages` is asked for",
  ),
  blockAds: same(rules.flag, "request.block_ads"),
  proxy: differs(
    rules.text,
    undefined,
    "`basic` and `auto` change nothing; `stealth` and `enhanced` are refused",
  ),
  parsers: only(
    "v2",
    differs(
      rules.any,
      "request.pdf",
      "`pdf`, with `maxPages` up to 200 and the modes `auto` and `fast`; an empty list returns a PDF in base64. both recognise pages that are pictures where the operator has set `OCR`. The mode `ocr` and `pages`, `blocks` and `pageMarkers` are refused",
    ),
  ),
  parsePDF: only("v1", same(rules.flag, "request.pdf", "false returns a PDF in base64")),
  removeBase64Images: differs(
    rules.flag,
    undefined,
    "they are always removed from Markdown; false is refused",
  ),
  storeInCache: ignored(
    "a result is only ever used again for the same key, where that asks for it by `maxAge`",
  ),
  fastMode: ignored("there is one way to read a page"),
  origin: ignored("names the client"),
  integration: ignored("names the client"),
  auditMetadata: ignored("names the client"),
  toolDetail: ignored("belongs to `domainTools`"),
  domainTools: refused("Magpie finds no tools for a page."),
  minAge: refused("Magpie answers with what it has, or asks the site: use `maxAge`."),
  onlyCleanContent: refused("Use `onlyMainContent`."),
  lockdown: refused("Use `maxAge`: a page that is not kept is asked for."),
  redactPII: refused("Magpie returns what the page has."),
  checkPromptInjection: refused("Treat what a page says as untrusted."),
  profile: refused("Each page is read in a browser of its own, without state. Send `headers`."),
  agent: refused("Use `actions`."),
  useMock: refused("Magpie reads the page itself."),
  threatProtection: refused("The operator decides which addresses are reached."),
  zeroDataRetention: refused("Results are kept for 24 hours by default."),
} as const satisfies Options;

/** The options of pages of crawls, batches, extracts and searches, which set their time themselves. */
export const pagesOptions = {
  ...pageOptionsSent,
  timeout: refused("Each page of a job has the time that it needs, up to a minute."),
  maxAge: ignored("every page is read afresh"),
} as const satisfies Options;

/** The options of a page after the rules were checked and others refused. */
export interface PageBody {
  formats?: FormatSent[];
  jsonOptions?: JsonSent;
  extract?: JsonSent;
  changeTrackingOptions?: ChangesSent;
  onlyMainContent?: boolean;
  includeTags?: string[];
  excludeTags?: string[];
  headers?: Record<string, string>;
  waitFor?: number;
  actions?: ActionSent[];
  mobile?: boolean;
  skipTlsVerification?: boolean;
  location?: { country?: string; languages?: string[] };
  blockAds?: boolean;
  proxy?: string;
  parsers?: unknown;
  parsePDF?: boolean;
  removeBase64Images?: boolean;
}

/** The `scrapeOptions` of a body, checked. Throws a 400 that names what Magpie does not have or what is of a wrong type. */
export function pagesOptionsIn(scrapeOptions: object, version: Version): PageBody {
  return checkedPart(pagesOptions, scrapeOptions, version, "scrapeOptions.") as PageBody;
}

/** A scrape's body as Magpie takes it; the validator fills in the rest. */
export type PageRequest = {
  [Name in "output" | "request" | "js_render" | "proxy"]?: Partial<PageOptions[Name]>;
};

/** Fields of ours that no single option becomes, beside those of the list; below `at` in the client's body. */
export function pageNames(at = ""): [ours: string, theirs: string][] {
  const parts: [string, string][] = [
    ["output", `${at}formats`],
    ["js_render.wait_for", `${at}waitFor`],
    ["js_render.viewport", `${at}formats`],
    ["request.locale", `${at}location.languages`],
  ];
  return [...fieldsOf(pageOptionsSent, at), ...parts];
}

/** Throws a 400 for what Magpie does not have; `at` is where the options are in the client's body. */
export function pageRequestOf(body: PageBody, version: Version, at = ""): PageRequest {
  refuseValues(body, at);
  const { output, viewport } = formatsOf(
    body.formats,
    jsonSent(body),
    version,
    body.changeTrackingOptions,
    at,
  );
  const rendering = present({
    wait_for: body.waitFor ? { ms: body.waitFor } : undefined,
    actions: body.actions?.length ? (actionsOf(body.actions, at) as PageAction[]) : undefined,
    viewport: viewport as PageOptions["js_render"]["viewport"],
  });
  return present({
    output: output as PageOptions["output"],
    request: requestOf(body, version, at),
    js_render: Object.keys(rendering).length > 0 ? rendering : undefined,
    proxy: body.location?.country ? { location: body.location.country } : undefined,
  });
}

function requestOf(body: PageBody, version: Version, at: string): PageRequest["request"] {
  return present({
    only_main_content: body.onlyMainContent,
    include_tags: body.includeTags,
    exclude_tags: body.excludeTags,
    headers: body.headers,
    block_ads: body.blockAds,
    device: body.mobile ? ("mobile" as const) : undefined,
    pdf: pdfOf(body, at),
    skip_tls_verification: body.skipTlsVerification ?? version === "v2",
    locale: body.location?.languages?.[0],
  });
}

/** v1 names what JSON is wanted beside the formats, and the older of two names is still in use. */
function jsonSent({ jsonOptions, extract }: PageBody): JsonSent | undefined {
  const { systemPrompt, ...json } = withoutNulls({ ...extract, ...jsonOptions }) as JsonSent & {
    systemPrompt?: unknown;
  };
  if (systemPrompt) throw refuse("jsonOptions.systemPrompt", "say it in `prompt`.");
  return json;
}

/** Options that Magpie has for some values only. */
function refuseValues({ proxy = "auto", removeBase64Images }: PageBody, at: string): void {
  if (proxy !== "auto" && proxy !== "basic")
    throw refuse(`${at}proxy`, `the proxy ${JSON.stringify(proxy)}. Leave it out, or set \`location\`.`);
  if (removeBase64Images === false)
    throw refuse(
      `${at}removeBase64Images`,
      "images within the page are always removed. Use the format rawHtml.",
    );
}

/** How a PDF is read: by its parser, or not at all. Throws a 400 for what Magpie does not do with it. */
function pdfOf({ parsers, parsePDF }: PageBody, at: string): RequestOptions["pdf"] {
  if (parsePDF === false) return { read: false };
  if (parsers === undefined || parsers === null) return undefined;
  if (!Array.isArray(parsers)) throw refuse(`${at}parsers`, "this: it is a list.");
  const [parser, ...others] = parsers;
  if (parser === undefined) return { read: false };
  if (others.length > 0) throw refuse(`${at}parsers.1`, 'another parser than "pdf".');
  const { type, mode, maxPages, ...rest } = Object(
    typeof parser === "string" ? { type: parser } : parser,
  ) as Parser;
  if (type !== "pdf") throw refuse(`${at}parsers.0`, 'another parser than "pdf".');
  if (mode !== undefined && mode !== "auto" && mode !== "fast")
    throw refuse(
      `${at}parsers.0.mode`,
      "another mode than auto and fast: it reads the text of a PDF, and recognises only pages that have none.",
    );
  const other = Object.keys(rest).find(name => rest[name]);
  if (other !== undefined) throw refuse(`${at}parsers.0.${other}`, "an option of the parser pdf.");
  return maxPages === undefined ? undefined : { max_pages: Math.min(pagesOf(maxPages, at), mostPages) };
}

type Parser = { type?: unknown; mode?: unknown; maxPages?: unknown } & Record<string, unknown>;

/** What Magpie reads of a PDF. */
const mostPages = 200;

function pagesOf(maxPages: unknown, at: string): number {
  if (Number.isInteger(maxPages) && Number(maxPages) > 0) return Number(maxPages);
  throw invalid(`${at}parsers.0.maxPages`, "invalid_value", "`maxPages` is a whole number, from 1.");
}
