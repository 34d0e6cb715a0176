import { CookieJar, Cookie as JarCookie } from "tough-cookie";
import type { Cookie } from "../../contracts/page-options.ts";

/** The cookies of one fetch: the user's, and those that are set on the way (RFC 6265bis). */
export interface CookieStore {
  /** The `Cookie` header for a URL; "" for none. */
  header(url: URL): string;
  keep(url: URL, setCookie: string | string[] | undefined): void;
  /** Every `Set-Cookie` value with the URL that set it, whether or not it was fit to keep. */
  readonly received: { url: string; value: string }[];
}

export function createCookieStore(given: Cookie[] | Record<string, string> = [], first: URL): CookieStore {
  const jar = new CookieJar();
  const received: CookieStore["received"] = [];
  for (const cookie of asList(given)) addGiven(jar, cookie, first);
  return {
    header: url => jar.getCookieStringSync(url.href),
    keep: (url, setCookie = []) => {
      for (const value of [setCookie].flat()) {
        received.push({ url: url.href, value });
        jar.setCookieSync(value, url.href, { ignoreError: true });
      }
    },
    received,
  };
}

function asList(given: Cookie[] | Record<string, string>): Cookie[] {
  return Array.isArray(given) ? given : Object.entries(given).map(([name, value]) => ({ name, value }));
}

// A cookie for another host is set as that host would set it, so that a redirect there finds it.
function addGiven(jar: CookieJar, cookie: Cookie, first: URL): void {
  const domain = cookie.domain?.replace(/^\./, "").toLowerCase();
  const host = domain === undefined || isWithin(first.hostname, domain) ? first.hostname : domain;
  const path = cookie.path ?? "/";
  const kept = new JarCookie({
    key: cookie.name,
    value: cookie.value,
    path,
    ...(domain !== undefined && { domain }),
    ...(cookie.expires !== undefined && cookie.expires > 0 && { expires: new Date(cookie.expires * 1000) }),
    secure: cookie.secure ?? false,
    httpOnly: cookie.httpOnly ?? false,
  });
  const url = `${cookie.secure ? "https:" : first.protocol}//${host}${path}`;
  if (URL.canParse(url)) jar.setCookieSync(kept, url, { ignoreError: true });
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
