import type { CheckedVersion, Post } from "../../contracts/connectors.contract.ts";
import type { SiteCheck } from "../../contracts/site-events.ts";
import type { SiteNews } from "../../domain/site/site-news.ts";
import type { WatchChange } from "../../domain/watch/judge.ts";

/*
 * What is told of a site, as its pages keep it until the tracker has it: a post, and the version that goes with it. The
 * identity of a post depends on what happened alone, so that whoever finds it again makes the same event.
 */

/** News of a page, as JSON in its row. A version without a post is kept silently. */
export interface StoredNews {
  post?: Post;
  version?: CheckedVersion;
}

/** A page as events name it. */
export interface NamedPage {
  url: string;
  title: string;
}

/** `at`: when the visit began that found it (ms). */
export function addedPage(page: NamedPage, at: number): Post {
  return { postId: page.url, revision: `added.${at}`, type: "site.page.added", data: { page } };
}

/** `changes`: that were told of the page, this one included. */
export function changedPage(page: NamedPage, change: WatchChange, changes: number): Post {
  const revision = `${changes}.${change.currentHash.slice(0, 16)}`;
  return {
    postId: page.url,
    revision,
    type: "site.page.changed",
    data: { page, change: { ...change, ...page } },
  };
}

export function removedPage(page: NamedPage, reason: string, at: number): Post {
  return { postId: page.url, revision: `removed.${at}`, type: "site.page.removed", data: { page, reason } };
}

export function movedPage(
  page: NamedPage,
  { from, to, reason, at }: { from: string; to: string; reason: string; at: number },
): Post {
  return {
    postId: from,
    revision: `moved.${at}`,
    type: "site.page.moved",
    data: { page: { ...page, url: to }, from, to, reason },
  };
}

export function changedSite({ id, change }: SiteNews): Post {
  return { postId: "site", revision: id, type: "site.changed", data: { change } };
}

export function checkedSite(check: SiteCheck): Post {
  return { postId: "check", revision: check.started_at, type: "site.checked", data: { check } };
}
