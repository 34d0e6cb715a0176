/** What a `sid` means: an account's DID, its handle, or a name under the domain of the service. */
export type AccountName = { did: string } | { handle: string } | { name: string };

/** The methods that accounts have (atproto.com/specs/did). */
const did =
  /^did:(?:plc:[a-z2-7]{24}|web:(?=[^%:]{1,253}(?:%3A\d{1,5})?$)[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:%3A\d{1,5})?)$/;
/** atproto.com/specs/handle */
const handle = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Parses `name.example`, `@name.example`, `name`, a DID, or a profile's address (`https://bsky.app/profile/…`,
 * `at://…`). Null for anything else.
 */
export function parseSid(sid: string): AccountName | null {
  const text = sid.trim();
  const address =
    /^(?:https?:\/\/[^/?#]+\/profile\/|at:\/\/|@)?([^/?#@]+)\/?(?:[?#].*)?$/i.exec(text)?.[1] ?? "";
  if (isDid(address)) return { did: address };
  const name = address.toLowerCase();
  if (handle.test(name)) return { handle: name };
  // A bare name must not come with a URL or path.
  return label.test(name) && /^@?[^/?#]+$/.test(text) ? { name } : null;
}

export function isDid(text: string): boolean {
  return did.test(text);
}

/** The address of a post: `at://` DID, collection, record key (atproto.com/specs/record-key). */
export function isPostUri(text: string): boolean {
  const [, authority = "", key = ""] =
    /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([\w.:~-]{1,512})$/.exec(text) ?? [];
  return isDid(authority) && key !== "." && key !== "..";
}

/** The account and key of a post in the URL of its page, `https://bsky.app/profile/…/post/…`; null for anything else. */
export function postInUrl(text: string): { account: string; key: string } | null {
  const page = /^https?:\/\/[^/?#]+\/profile\/([^/?#]+)\/post\/([^/?#]+)\/?(?:[?#].*)?$/i;
  const [, account, key] = page.exec(text) ?? [];
  return account === undefined || key === undefined ? null : { account, key };
}
