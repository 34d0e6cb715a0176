import { invalid } from "../../../contracts/errors.ts";

/** An account, by its number or by its name. */
export type AccountName = { id: string } | { username: string };

const hosts = /^(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com$/;
/** First segments of paths that are not account names. */
const pages =
  /^(?:i|home|explore|search|hashtag|intent|share|settings|messages|notifications|compose|login|signup|tos|privacy|jobs)$/i;

/**
 * What a `sid` may mean, the likeliest first: `magpie`, `@magpie`, the URL of a profile or of one of its posts, or an
 * account's number. Digits alone are tried as a name first, then as a number.
 */
export function parseSid(sid: string): AccountName[] {
  const text = sid.trim();
  const accounts = text.includes("/") ? accountOfUrl(text) : accountsOf(text);
  if (accounts.length > 0) return accounts;
  throw invalid("sid", "malformed", "Give the name of an X account, its number, or the URL of its profile.");
}

/** 1 to 15 letters, digits and underscores, or the URL of a profile. Errors name the field. */
export function parseUsername(username: string): AccountName {
  const name = username.trim().replace(/^@/, "");
  if (isUsername(name)) return { username: name };
  const [account] = name.includes("/") ? accountOfUrl(name) : [];
  if (account) return account;
  throw invalid("username", "malformed", "An X name has 1 to 15 letters, digits and underscores.");
}

/** The id of a post, from its URL too. */
export function postIdIn(text: string): string {
  return (
    /^https?:\/\/[^/?#]+\/(?:[^/?#]+|i\/web)\/status(?:es)?\/(\d{1,19})(?:[/?#]|$)/i.exec(text)?.[1] ?? text
  );
}

/** Ids of posts and accounts are numbers of 64 bits. */
export function isId(text: string): boolean {
  return /^\d{1,19}$/.test(text);
}

function accountsOf(text: string): AccountName[] {
  const username = text.replace(/^@/, "");
  return [...(isUsername(username) ? [{ username }] : []), ...(isId(text) ? [{ id: text }] : [])];
}

function accountOfUrl(text: string): AccountName[] {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !hosts.test(url.hostname)) return [];
  const [, first = "", second, third = ""] = url.pathname.split("/");
  if (first === "i" && second === "user" && isId(third)) return [{ id: third }];
  return isUsername(first) && !pages.test(first) ? [{ username: first }] : [];
}

function isUsername(text: string): boolean {
  return /^\w{1,15}$/.test(text);
}
