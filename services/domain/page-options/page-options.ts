import { checkRecipe } from "../../../reader/recipe/recipe.ts";
import { checkSchema } from "../../../reader/recipe/schema.ts";
import { RequestBudget } from "../../../reader/text/request-budget.ts";
import type { DetailCode, FieldError } from "../errors/detail-codes.ts";
import { checkLogin, checkRendering, checkSelectors, type Rendering } from "./check-actions.ts";

interface Cookie {
  name: string;
  value: string;
  domain?: string;
  path?: string;
}

/** The parts of a page request with rules that the schema cannot express. */
interface PageOptions {
  output: {
    formats: readonly string[];
    changes?: { modes?: readonly string[] };
    json?: {
      prompt?: string;
      mode?: "auto" | "recipe" | "values";
      json_schema?: Record<string, unknown>;
      recipe?: Record<string, unknown>;
    };
  };
  request: {
    headers?: Record<string, string>;
    cookies?: readonly Cookie[] | Record<string, string>;
    include_tags?: readonly string[];
    exclude_tags?: readonly string[];
    /** A body is sent, whose type the headers may name. */
    isPosted?: boolean;
  };
  js_render: Rendering;
  session?: { name?: string; login?: Parameters<typeof checkLogin>[1] };
  webhook?: { metadata?: Record<string, unknown> };
}

/**
 * The first error in the options for pages of these hosts, each of which has `pageMs`; null when there is none. All is
 * checked once, however many hosts there are: a cookie for a domain may be meant for some of them.
 */
export function checkPageOptions(
  { output, request, js_render, session, webhook }: PageOptions,
  hosts: readonly string[],
  pageMs: number,
): FieldError | null {
  const budget = new RequestBudget();
  return (
    checkHeaders(request.headers ?? {}, request.isPosted) ??
    checkCookies(request.cookies ?? [], hosts) ??
    checkSelectors("request.include_tags", request.include_tags, budget) ??
    checkSelectors("request.exclude_tags", request.exclude_tags, budget) ??
    checkRendering(js_render, pageMs, budget) ??
    (session?.login ? checkLogin("session.login", session.login, budget) : null) ??
    checkJson(output, budget) ??
    checkMetadata(webhook?.metadata ?? {})
  );
}

/** Characters of what comes back with each delivery. */
const maxMetadata = 16_384;

function checkMetadata(metadata: Record<string, unknown>): FieldError | null {
  if (JSON.stringify(metadata).length <= maxMetadata) return null;
  return fieldError("webhook.metadata", "too_long", "At most 16 KB of JSON.");
}

const maxHeaders = 50;
const maxCookies = 100;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const controlCharacter = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers that belong to the connection or to the browser (RFC 9110, 7.6.1; Fetch, forbidden request-headers). */
const forbidden =
  /^(host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|sec-.*|accept-encoding)$/i;

function checkHeaders(headers: Record<string, string>, isPosted = false): FieldError | null {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders)
    return fieldError("request.headers", "too_many", `At most ${maxHeaders} headers.`);
  for (const [name, value] of entries) {
    const field = `request.headers.${name.slice(0, 100)}`;
    if (!token.test(name)) return fieldError(field, "invalid_name", "This is not a header name.");
    if (forbidden.test(name) && !(isPosted && /^content-type$/i.test(name)))
      return fieldError(field, "forbidden_header", "This header cannot be set by a request.");
    if (controlCharacter.test(value))
      return fieldError(field, "invalid_value", "A header value holds no control characters.");
  }
  return null;
}

/** Cookie names and values (RFC 6265, 4.1.1), and domains that one of the hosts belongs to. */
function checkCookies(
  cookies: readonly Cookie[] | Record<string, string>,
  hosts: readonly string[],
): FieldError | null {
  if (Object.keys(cookies).length > maxCookies)
    return fieldError("request.cookies", "too_many", `At most ${maxCookies} cookies.`);
  for (const [index, { name, value, domain, path }] of listed(cookies).entries()) {
    const field = `request.cookies.${isList(cookies) ? index : name.slice(0, 100)}`;
    const within = (part: string) => (isList(cookies) ? `${field}.${part}` : field);
    if (!token.test(name)) return fieldError(within("name"), "invalid_name", "This is not a cookie name.");
    if (/[^\x20-\x7e]|;/.test(value))
      return fieldError(within("value"), "invalid_value", "This is not a cookie value.");
    if (path !== undefined && !/^\/[\x20-\x3a\x3c-\x7e]*$/.test(path))
      return fieldError(`${field}.path`, "invalid_value", "A cookie path begins with a slash.");
    if (domain !== undefined && !hosts.some(isInDomain(domain)))
      return fieldError(`${field}.domain`, "other_site", "A cookie can be set for the page's own site only.");
  }
  return null;
}

function listed(cookies: readonly Cookie[] | Record<string, string>): readonly Cookie[] {
  if (isList(cookies)) return cookies;
  return Object.entries(cookies).map(([name, value]) => ({ name, value }));
}

function isList(cookies: readonly Cookie[] | Record<string, string>): cookies is readonly Cookie[] {
  return Array.isArray(cookies);
}

/** Domain matching (RFC 6265, 5.1.3): the host itself or a parent of it that is more than a top-level name. */
export function isCookieHost(host: string, domain: string): boolean {
  return isInDomain(domain)(host);
}

function isInDomain(domain: string): (host: string) => boolean {
  const wanted = domain.replace(/^\./, "").toLowerCase();
  const below = wanted.includes(".") ? `.${wanted}` : null;
  return host => wanted === host || (below !== null && host.endsWith(below) && /[a-z]/i.test(host));
}

type Wanted = Pick<PageOptions["output"], "formats" | "changes">;

/** Whether JSON is to be found: for its format, or to be compared. */
export function wantsJson({ formats, changes }: Wanted): boolean {
  return (
    formats.includes("json") || (formats.includes("changes") && changes?.modes?.includes("json") === true)
  );
}

function checkJson({ json, ...output }: PageOptions["output"], budget: RequestBudget): FieldError | null {
  if (!wantsJson(output)) return null;
  if (json?.prompt === undefined && json?.json_schema === undefined && json?.recipe === undefined)
    return fieldError(
      "output.json",
      "required",
      `The ${output.formats.includes("json") ? "json format" : "mode json"} needs output.json with prompt, json_schema or recipe.`,
    );
  if (json.recipe !== undefined && json.mode === "values")
    return fieldError(
      "output.json.mode",
      "not_applicable",
      "A recipe reads the page by selectors: leave output.json.recipe out, or mode.",
    );
  return (
    (json.json_schema && checkSchema(json.json_schema, "output.json.json_schema", budget)) ??
    (json.recipe ? checkRecipe(json.recipe, "output.json.recipe", budget) : null)
  );
}

function fieldError(field: string, code: DetailCode, message: string): FieldError {
  return { field, code, message };
}
