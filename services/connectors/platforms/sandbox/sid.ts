/** The user name that a `sid` of the microblog means: `corvid_lab`, `@corvid_lab` or a profile's URL. Null for anything else. */
export function usernameIn(sid: string): string | null {
  const name = lastSegment(sid)?.replace(/^@/, "").toLowerCase();
  return name && /^[a-z0-9_]{1,15}$/.test(name) ? name : null;
}

/** The code that a `sid` of the chat server means: the code of an invite, or its URL. Null for anything else. */
export function inviteCodeIn(sid: string): string | null {
  const code = lastSegment(sid);
  return code && /^[A-Za-z0-9-]{2,64}$/.test(code) ? code : null;
}

/**
 * The channel that a `sid` of the messenger means: its user name, a URL that ends in it, or an invite's, which begins with
 * `+`. Null for anything else.
 */
export function channelNameIn(sid: string): string | null {
  const name = lastSegment(sid.trim())?.replace(/^@/, "");
  return name && /^\+?[A-Za-z0-9_-]{3,64}$/.test(name) ? name : null;
}

/**
 * The last path segment of a URL, or the text itself where it is not a URL. Undefined for a URL without a path. Ignores
 * the host: simulated platforms have none.
 */
function lastSegment(sid: string): string | undefined {
  if (!/^https?:\/\//i.test(sid)) return sid;
  return URL.parse(sid)
    ?.pathname.split("/")
    .findLast(segment => segment !== "");
}
