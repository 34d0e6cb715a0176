import type { Cookie } from "../../contracts/page-options.ts";

/**
 * Takes a `Cookie` header (RFC 6265, 5.4) out of a request's headers: Chromium writes that header from its own jar alone,
 * so what it says has to be there. A name that is no token cannot be kept in it and is left out.
 */
export function splitCookieHeader(given: Record<string, string>): {
  headers: Record<string, string>;
  cookies: Cookie[];
} {
  const isCookie = ([name]: [string, string]) => name.toLowerCase() === "cookie";
  const entries = Object.entries(given);
  return {
    headers: Object.fromEntries(entries.filter(entry => !isCookie(entry))),
    cookies: entries.filter(isCookie).flatMap(([, value]) => value.split(";").flatMap(toCookie)),
  };
}

function toCookie(pair: string): Cookie[] {
  const [, name, value = ""] = /^\s*([!#$%&'*+.^_`|~\w-]+)=(.*?)\s*$/.exec(pair) ?? [];
  return name === undefined ? [] : [{ name, value }];
}
