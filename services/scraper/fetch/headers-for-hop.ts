import type { CookieStore } from "./cookie-store.ts";

// What every browser sends to everyone. All else is the user's and may be a secret of theirs with one site.
const forEveryone =
  /^(accept|accept-language|user-agent|dnt|priority|upgrade-insecure-requests|sec-(ch-ua.*|fetch-.*|gpc))$/;

export function isForEveryone(header: string): boolean {
  return forEveryone.test(header.toLowerCase());
}

/** The headers of one hop: the user's own ones go to the origin of the first URL and nowhere else. */
export function headersForHop(
  given: Record<string, string>,
  first: URL,
  hop: URL,
  cookies: CookieStore,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (hop.origin === first.origin || isForEveryone(key)) headers[key] = value;
  }
  const cookie = [headers.cookie ?? "", cookies.header(hop)].filter(part => part !== "").join("; ");
  if (cookie !== "") headers.cookie = cookie;
  // The codings that are undone here, whatever the user would like to see.
  headers["accept-encoding"] = "gzip, deflate, br, zstd";
  return headers;
}
