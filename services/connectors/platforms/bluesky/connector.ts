import { fail, invalid } from "../../../contracts/errors.ts";
import { isSearch } from "../../../contracts/source.ts";
import { parseSearch, searchOf, toSearchSource } from "../../social/search.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { findProfile, toAbout, toAuthor, toProfile } from "./account.ts";
import { type BlueskySettings, blueskyApi } from "./api.ts";
import { follow, unfollow } from "./follow.ts";
import { listen } from "./listen.ts";
import { viewToPost } from "./map-post.ts";
import {
  newestCursor,
  newestSearchCursor,
  pagesOfAccount,
  pagesOfSearch,
  readHistory,
  readSearchSince,
  readSince,
} from "./read-posts.ts";
import { askForPosts } from "./shown-posts.ts";
import { isDid, isPostUri, postInUrl } from "./sid.ts";

/** The microblog on Bluesky, by an account there. An `externalId` is a DID or a search, a post's id its `at://` address. */
export function blueskyConnector(settings: BlueskySettings, tools: DriverTools): SocialConnector {
  const ask = blueskyApi(settings, tools);
  const named = (username: string, signal: AbortSignal) =>
    findProfile(ask, { field: "username", value: username }, signal);
  const pagesOf = (externalId: string) => {
    const search = searchOf(externalId);
    return search ? pagesOfSearch(ask, search) : pagesOfAccount(ask, checkedDid(externalId));
  };
  return {
    kind: "microblog",
    driver: "bluesky",
    async resolve(sid, signal) {
      const search = parseSearch(sid);
      if (search) return toSearchSource(search, await newestSearchCursor(pagesOfSearch(ask, search), signal));
      const profile = await findProfile(ask, { field: "sid", value: sid }, signal);
      const { rest_id, name, username } = toAuthor(profile);
      const cursor = await newestCursor(pagesOfAccount(ask, rest_id), signal);
      return { externalId: rest_id, name, username, kind: "microblog", state: { cursor } };
    },
    async follow(externalId, signal) {
      if (!isSearch(externalId)) await follow(ask, tools, checkedDid(externalId), signal);
    },
    async unfollow(externalId, signal) {
      if (!isSearch(externalId)) await unfollow(ask, checkedDid(externalId), signal);
    },
    async since(externalId, cursor, signal) {
      const pages = pagesOf(externalId);
      const [newest, since] = isSearch(externalId)
        ? [newestSearchCursor, readSearchSince]
        : [newestCursor, readSince];
      if (cursor !== null) return await since(pages, cursor, signal);
      return { posts: [], cursor: await newest(pages, signal), more: false };
    },
    history: async (externalId, page, signal) => await readHistory(pagesOf(externalId), page, signal),
    listen: (listener, signal) => listen({ ask, settings, tools }, listener, signal),
    async getPost(postId, signal) {
      const shown = postInUrl(postId);
      const author =
        shown && (isDid(shown.account) ? shown.account : (await named(shown.account, signal)).did);
      const uri = shown ? `at://${author}/app.bsky.feed.post/${shown.key}` : postId;
      if (!isPostUri(uri))
        throw invalid("postId", "malformed", "`postId` must be like at://did:…/app.bsky.feed.post/….");
      const [post] = await askForPosts(ask, [uri], signal);
      if (!post) throw fail("not_found", "Bluesky knows no such post.");
      return viewToPost(post);
    },
    about: async (username, signal) => toAbout(await named(username, signal)),
    profile: async (username, signal) => toProfile(await named(username, signal)),
  };
}

function checkedDid(externalId: string): string {
  if (isDid(externalId)) return externalId;
  throw invalid("externalId", "malformed", "`externalId` must be a DID.");
}
