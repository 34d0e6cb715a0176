/** What a `sid` means: an account's address (`user`, or `user@host` elsewhere), or else its id on the home server. */
export interface AccountName {
  acct: string;
  id?: string;
}

const user = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i;
const host = /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i;

/** Mastodon's ids are numbers, GoToSocial's ULIDs, Pleroma's and Akkoma's base62; each has a digit. */
const idForm = /^(?=.*\d)[a-z0-9]{1,64}$/i;

/**
 * Parses `user`, `@user`, `user@host`, an account's id, or a profile's URL (`https://host/@user`,
 * `https://host/@user@other`, `https://host/users/user`). A text that looks like an id may be a name, which is tried first.
 * Null for anything else.
 */
export function parseSid(sid: string, home: string): AccountName | null {
  const text = sid.trim();
  if (idForm.test(text)) return { acct: text, id: text };
  const address = /^https?:\/\//i.test(text) ? addressInUrl(text) : text.replace(/^@/, "");
  const [name = "", where, ...rest] = address?.split("@") ?? [];
  if (rest.length > 0 || name.length > 128 || !user.test(name)) return null;
  if (where === undefined) return { acct: name };
  if (!host.test(where)) return null;
  return { acct: where.toLowerCase() === home ? name : `${name}@${where.toLowerCase()}` };
}

function addressInUrl(text: string): string | null {
  const url = URL.parse(text);
  const [, at, name, elsewhere] = /^\/(@|users\/)([^/@]+)(@[^/@]+)?\/?$/.exec(url?.pathname ?? "") ?? [];
  if (!url || !at) return null;
  return elsewhere ? `${name}${elsewhere}` : `${name}@${url.host}`;
}
