import type { Post } from "../../contracts/connectors.contract.ts";
import type { PostEventType } from "../../contracts/events.ts";
import type { PostDetails, PostLink } from "../../contracts/social.ts";

/** The parts of an object, without those that nobody has told. */
export function known<T extends object>(told: { [Name in keyof T]: T[Name] | null | undefined }): T {
  const isTold = ([, value]: [string, unknown]) => value !== undefined && value !== null && value !== "";
  return Object.fromEntries(Object.entries(told).filter(isTold)) as T;
}

/** A post after an edit; `at` tells one edit from another. */
export function editedPost(post: Post, at: string): Post {
  return { ...post, revision: `edited ${at}`, type: revisionType(post.type, "updated") };
}

/** What is left of a post that was deleted. */
export function deletedPost({ postId, type, data }: Omit<Post, "revision">): Post {
  return { postId, revision: "deleted", type: revisionType(type, "deleted"), data };
}

function revisionType(type: PostEventType, what: "updated" | "deleted"): PostEventType {
  return type.replace(/created$/, what) as PostEventType;
}

/** The details that a network tells. Empty lists are left out, and so are links that lead nowhere. */
export function detailsOf(
  told: Partial<{ [Name in keyof PostDetails]: PostDetails[Name] | null | undefined }>,
): PostDetails {
  const { links = [], mentions, card, ...rest } = told;
  return known<PostDetails>({
    ...rest,
    links: nonEmpty(distinct((links ?? []).filter(({ url }) => isAddress(url)).map(withText))),
    card: card && isAddress(card.url) ? card : undefined,
    mentions: nonEmpty(distinct(mentions ?? [])),
  });
}

/** The addresses in a text as it is, without the signs that end a sentence. */
export function addressesIn(text: string): PostLink[] {
  return [...text.matchAll(/https?:\/\/[^\s<>]+/gi)].map(([url]) => ({
    url: url.replace(/[.,:;!?"')\]]+$/, ""),
  }));
}

function withText({ url, text }: PostLink): PostLink {
  return known<PostLink>({ url, text: text === url ? undefined : text });
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function distinct<T>(list: T[]): T[] {
  return [...new Map(list.map(each => [JSON.stringify(each), each])).values()];
}

/** Authors write what they like into links: one to a script would run in the page of a careless reader. */
function isAddress(url: unknown): boolean {
  return typeof url === "string" && /^(?:https?|mailto|tel|magnet|tg):$/.test(URL.parse(url)?.protocol ?? "");
}
