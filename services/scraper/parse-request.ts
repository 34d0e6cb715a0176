import { invalid } from "../contracts/errors.ts";
import type { Cookie, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { checkRecipe } from "../domain/recipe/check-recipe.ts";
import { checkSchema } from "../domain/recipe/check-schema.ts";

/** What the schema cannot say about a scrape request; the first offence is thrown as a 400 that names its field. */
export function checkRequest(request: ScrapeRequest): void {
  if (request.mode === "async")
    throw invalid(
      "mode",
      "not_available",
      "Asynchronous scrapes are not available yet: leave mode out or set it to sync.",
    );
  if (request.webhook !== undefined)
    throw invalid(
      "webhook",
      "not_available",
      "Webhooks belong to asynchronous scrapes, which are not available yet.",
    );
  checkHeaders(request.request.headers ?? {});
  checkCookies(pageCookies(request), new URL(request.url).hostname);
  checkJson(request);
}

/** The cookies as a list, whichever form the request chose. */
export function pageCookies({ request: { cookies } }: Pick<ScrapeRequest, "request">): Cookie[] {
  if (cookies === undefined || Array.isArray(cookies)) return cookies ?? [];
  return Object.entries(cookies).map(([name, value]) => ({ name, value }));
}

const maxHeaders = 50;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const controlCharacter = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers that belong to the connection or to the browser (RFC 9110, 7.6.1; Fetch, forbidden request-headers). */
const forbidden =
  /^(host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|sec-.*|accept-encoding)$/i;

function checkHeaders(headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders)
    throw invalid("request.headers", "too_many", `At most ${maxHeaders} headers.`);
  for (const [name, value] of entries) {
    const field = `request.headers.${name.slice(0, 100)}`;
    if (!token.test(name)) throw invalid(field, "invalid_name", "This is not a header name.");
    if (forbidden.test(name))
      throw invalid(field, "forbidden_header", "This header cannot be set by a request.");
    if (controlCharacter.test(value))
      throw invalid(field, "invalid_value", "A header value holds no control characters.");
  }
}

/** Cookie names and values (RFC 6265, 4.1.1), and a domain that the page's own host belongs to. */
function checkCookies(cookies: Cookie[], host: string): void {
  for (const [index, { name, value, domain, path }] of cookies.entries()) {
    const field = `request.cookies[${index}]`;
    if (!token.test(name)) throw invalid(`${field}.name`, "invalid_name", "This is not a cookie name.");
    if (/[^\x20-\x7e]|;/.test(value))
      throw invalid(`${field}.value`, "invalid_value", "This is not a cookie value.");
    if (path !== undefined && !/^\/[\x20-\x3a\x3c-\x7e]*$/.test(path))
      throw invalid(`${field}.path`, "invalid_value", "A cookie path begins with a slash.");
    if (domain !== undefined && !belongsTo(host, domain))
      throw invalid(`${field}.domain`, "other_site", "A cookie can be set for the page's own site only.");
  }
}

/** Domain matching (RFC 6265, 5.1.3): the host itself or a parent of it that is more than a top-level name. */
function belongsTo(host: string, domain: string): boolean {
  const wanted = domain.replace(/^\./, "").toLowerCase();
  return wanted === host || (wanted.includes(".") && host.endsWith(`.${wanted}`) && /[a-z]/i.test(host));
}

function checkJson({ output: { formats, json } }: ScrapeRequest): void {
  if (!formats.includes("json")) return;
  if (json?.prompt === undefined && json?.json_schema === undefined && json?.recipe === undefined)
    throw invalid(
      "output.json",
      "required",
      "The json format needs output.json with prompt, json_schema or recipe.",
    );
  const offence =
    (json.json_schema && checkSchema(json.json_schema)) ?? (json.recipe ? checkRecipe(json.recipe) : null);
  if (offence) throw invalid(offence.field, offence.code, offence.message);
}
