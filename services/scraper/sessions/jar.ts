import { CookieJar, Cookie as SetCookie } from "tough-cookie";
import type { Cookie } from "../../contracts/page-options.ts";
import { siteName } from "../../domain/url/same-site.ts";

/** A cookie as a jar keeps it. */
export interface KeptCookie {
  name: string;
  value: string;
  /** Without a dot before it. */
  domain: string;
  /** For that host alone. */
  hostOnly: boolean;
  path: string;
  secure: boolean;
  httpOnly: boolean;
  sameSite?: "Strict" | "Lax" | "None";
  /** Unix time in seconds; absent for a cookie without an end. */
  expires?: number;
}

/** What a site has left with a visitor: cookies, and the local storage of its origins. */
export interface Jar {
  cookies: KeptCookie[];
  storage: Record<string, Record<string, string>>;
}

/** A cookie as the browser reports it. */
export interface BrowserCookie extends Omit<KeptCookie, "hostOnly" | "expires"> {
  expires: number;
  /** Only within pages of another site: it is not kept. */
  partitionKey?: unknown;
}

/** Bounds of a jar. What is beyond them is not kept. */
const mostCookies = 300;
const mostOrigins = 8;
const mostStored = 1024 * 1024;

/** Whether a host belongs to a site: it is the site itself or below it. */
export function isOfSite(host: string, site: string): boolean {
  return siteName({ hostname: host }) === site;
}

/** The jar of a visit: what was there when it began, and what it has become. */
export class VisitJar {
  readonly site: string;
  #before: Jar = { cookies: [], storage: {} };
  #now = new Map<string, KeptCookie>();
  #storage: Jar["storage"] = {};

  constructor(site: string, kept: Jar, nowMs: number) {
    this.site = site;
    this.open(kept, nowMs);
  }

  /** Begins anew with what is kept. */
  open({ cookies, storage }: Jar, nowMs: number): void {
    this.#before = { cookies: cookies.filter(({ expires = Infinity }) => expires * 1000 > nowMs), storage };
    this.#now = byKey(this.#before.cookies);
    this.#storage = storage;
  }

  get cookies(): KeptCookie[] {
    return [...this.#now.values()];
  }

  get storage(): Jar["storage"] {
    return this.#storage;
  }

  /** Takes what an answer has set for its site (RFC 6265bis). */
  receive(url: string, setCookies: readonly string[], nowMs: number): void {
    for (const value of setCookies) {
      const set = new CookieJar().setCookieSync(value, url, { ignoreError: true });
      const kept = set && keptCookie(set);
      if (!kept || !isOfSite(kept.domain, this.site)) continue;
      if ((kept.expires ?? Infinity) * 1000 > nowMs) this.#now.set(keyOf(kept), kept);
      else this.#now.delete(keyOf(kept));
    }
  }

  /** Takes what a page has changed in a browser, which had these cookies before it. */
  replace(had: readonly BrowserCookie[], has: readonly BrowserCookie[]): void {
    const [before, after] = [this.#own(had), this.#own(has)];
    for (const [key, cookie] of after) if (!isSame(before.get(key), cookie)) this.#now.set(key, cookie);
    for (const key of before.keys()) if (!after.has(key)) this.#now.delete(key);
  }

  #own(cookies: readonly BrowserCookie[]): Map<string, KeptCookie> {
    const kept = cookies.filter(({ partitionKey }) => partitionKey === undefined).map(fromBrowser);
    return byKey(kept.filter(({ domain }) => isOfSite(domain, this.site)));
  }

  /** Takes the local storage of an origin. */
  store(origin: string, entries: Record<string, string>): void {
    if (isOfSite(URL.parse(origin)?.hostname ?? "", this.site))
      this.#storage = { ...this.#storage, [origin]: entries };
  }

  /** What the visit has changed. `yields`: where others have changed it too, theirs holds. */
  changes(yields: boolean): JarChanges {
    return { before: this.#before, after: { cookies: this.cookies, storage: this.#storage }, yields };
  }
}

export interface JarChanges {
  before: Jar;
  after: Jar;
  yields: boolean;
}

export function isChanged({ before, after }: JarChanges): boolean {
  return !isSame(sorted(before), sorted(after));
}

function sorted({ cookies, storage }: Jar): unknown {
  return [
    cookies.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    Object.entries(storage)
      .map(([origin, entries]) => [origin, Object.entries(entries).toSorted()])
      .toSorted(),
  ];
}

/**
 * Puts the changes of a visit into what is kept now, cookie by cookie: other visits may have changed it meanwhile. A cookie
 * that the visit left as it was stays as the others made it, and one that it removed goes only where it is still the same.
 */
export function merged(kept: Jar, { before, after, yields }: JarChanges): Jar {
  const cookies = mergedEntries(
    { kept: byKey(kept.cookies), before: byKey(before.cookies), after: byKey(after.cookies) },
    yields,
    (one, other) => one.value === other.value,
  );
  const origins = new Set([...Object.keys(kept.storage), ...Object.keys(after.storage)]);
  const storage = [...origins].map(origin => {
    const entries = (jar: Jar) => new Map(Object.entries(jar.storage[origin] ?? {}));
    const all = { kept: entries(kept), before: entries(before), after: entries(after) };
    return [origin, Object.fromEntries(mergedEntries(all, yields, isSame))] as const;
  });
  return bounded({ cookies: [...cookies.values()], storage: Object.fromEntries(storage) });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function mergedEntries<T>(
  { kept, before, after }: Record<"kept" | "before" | "after", Map<string, T>>,
  yields: boolean,
  isRemovable: (kept: T, before: T) => boolean,
): Map<string, T> {
  const result = new Map(kept);
  for (const [key, value] of after) {
    const former = before.get(key);
    if (isSame(former, value) || (yields && !isSame(former, kept.get(key)))) continue;
    // It moves to the end, where the bounds cut last.
    result.delete(key);
    result.set(key, value);
  }
  for (const [key, former] of before) {
    const current = kept.get(key);
    if (!after.has(key) && current !== undefined && isRemovable(current, former)) result.delete(key);
  }
  return result;
}

function bounded({ cookies, storage }: Jar): Jar {
  let left = mostStored;
  const fits = (value: unknown) => {
    const { length } = JSON.stringify(value);
    if (length > left) return false;
    left -= length;
    return true;
  };
  const newest = cookies.slice(-mostCookies).toReversed().filter(fits).toReversed();
  const filled = Object.entries(storage).filter(([, entries]) => Object.keys(entries).length > 0);
  return { cookies: newest, storage: Object.fromEntries(filled.slice(0, mostOrigins).filter(fits)) };
}

function keyOf({ domain, path, name }: KeptCookie): string {
  return `${domain};${path};${name}`;
}

function byKey(cookies: readonly KeptCookie[]): Map<string, KeptCookie> {
  return new Map(cookies.map(cookie => [keyOf(cookie), cookie]));
}

const sameSites = { strict: "Strict", lax: "Lax", none: "None" } as const;

function keptCookie(cookie: SetCookie): KeptCookie {
  const { key, value, domain, path, hostOnly, secure, httpOnly, sameSite } = cookie;
  const expiry = cookie.expiryTime();
  const site = sameSites[sameSite as keyof typeof sameSites];
  return {
    ...{ name: key, value, domain: domain ?? "", hostOnly: hostOnly === true, path: path ?? "/" },
    ...{ secure, httpOnly },
    ...(site && { sameSite: site }),
    ...(expiry !== undefined && expiry !== Infinity && { expires: Math.max(0, Math.floor(expiry / 1000)) }),
  };
}

function fromBrowser({
  name,
  value,
  domain,
  path,
  secure,
  httpOnly,
  sameSite,
  expires,
}: BrowserCookie): KeptCookie {
  return {
    ...{ name, value, domain: domain.replace(/^\./, ""), hostOnly: !domain.startsWith("."), path },
    ...{ secure, httpOnly },
    ...(sameSite && { sameSite }),
    ...(expires > 0 && { expires: Math.floor(expires) }),
  };
}

/** The address from which a cookie is set. */
function settingUrl({ secure, domain, path }: KeptCookie): string {
  return `${secure ? "https" : "http"}://${domain}${path}`;
}

/** A cookie for the browser. */
export function forBrowser({ hostOnly, domain, ...cookie }: KeptCookie): Cookie & { url: string } {
  return { ...cookie, url: settingUrl({ hostOnly, domain, ...cookie }), ...(!hostOnly && { domain }) };
}

/** Puts a cookie into the cookies of a fetch. */
export function addTo(jar: CookieJar, cookie: KeptCookie): void {
  const { name, value, domain, hostOnly, path, secure, httpOnly, expires } = cookie;
  const set = new SetCookie({
    ...{ key: name, value, path, secure, httpOnly },
    ...(!hostOnly && { domain }),
    ...(expires !== undefined && { expires: new Date(expires * 1000) }),
  });
  jar.setCookieSync(set, settingUrl(cookie), { ignoreError: true });
}
