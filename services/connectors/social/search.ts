import { createHash } from "node:crypto";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { invalid } from "../../contracts/errors.ts";
import { isSearch } from "../../contracts/source.ts";

/** A search of the microblog, which is tracked like an account. */
export type Search = { tag: string } | { words: string };

const prefix = /^search:/i;
const tagForm = /^#(?=.*[^\d_])[\p{L}\p{M}\p{N}_]{1,100}$/u;
const maxWords = 400;

/**
 * The search that a `sid` means: `#tag`, or `search:` and what the network's own search takes. Null for anything else.
 * Throws `invalid` naming `sid` for a search without words, or a hashtag with other characters.
 */
export function parseSearch(sid: string): Search | null {
  const text = sid.trim();
  if (!text.startsWith("#") && !prefix.test(text)) return null;
  const words = text
    .replace(prefix, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (tagForm.test(words)) return { tag: words.slice(1).toLowerCase() };
  if (text.startsWith("#"))
    throw invalid("sid", "malformed", "A hashtag has letters, digits and underscores, for example #birds.");
  if (words === "" || words.length > maxWords)
    throw invalid("sid", "malformed", "A search has 1 to 400 characters after `search:`.");
  return { words };
}

/** The search of an `externalId`; null for an account. */
export function searchOf(externalId: string): Search | null {
  return isSearch(externalId) ? parseSearch(externalId) : null;
}

/** The words as a network's search takes them. */
export function queryOf(search: Search): string {
  return "tag" in search ? `#${search.tag}` : search.words;
}

export function toSearchSource(search: Search, cursor: string): ResolvedSource {
  const externalId = "tag" in search ? `#${search.tag}` : `search:${search.words}`;
  const name = "tag" in search ? externalId : `Search: ${search.words}`;
  return { kind: "microblog", externalId, username: externalId, name, state: { cursor } };
}

/** Milliseconds by which a post may be found after a younger one: networks and their indexes lag behind. */
export const overlapMs = 5 * 60_000;

/** Milliseconds within which a post that becomes visible later still than that is found, where the first page shows it. */
const lateMs = 24 * 3_600_000;

/** What the first page of a search showed the last time: a post that is there since is late. */
export interface FirstPage {
  /** When the search began, in Unix milliseconds: older posts are none of its own. */
  began: number;
  /** Marks of the posts, as many as a page has. */
  shown: string[];
}

/** The posts of a first page that were not there the last time, though they may be old, and the page to remember. */
export function lateOn<Post extends { id: string; at: number }>(
  { began, shown }: FirstPage,
  page: readonly Post[],
  now: number,
): { late: Post[]; seen: FirstPage } {
  const known = new Set(shown);
  const late = page.filter(({ id, at }) => !known.has(markOf(id)) && at >= Math.max(began, now - lateMs));
  return { late, seen: { began, shown: page.map(({ id }) => markOf(id)) } };
}

function markOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, 8);
}

/** As text for a cursor: `began,mark,mark…`. */
export function writeFirstPage({ began, shown }: FirstPage): string {
  return [began, ...shown].join();
}

export function readFirstPage(text = ""): FirstPage {
  const [began = "", ...shown] = text.split(",");
  if (!/^\d{1,15}$/.test(began))
    throw invalid("cursor", "malformed", "`cursor` must be one that an answer has returned.");
  return { began: Number(began), shown };
}
