import { codeOf, fail, invalid } from "../../../contracts/errors.ts";
import { isSearch } from "../../../contracts/source.ts";
import { parseSearch, type Search, searchOf, toSearchSource } from "../../social/search.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { findAccount, toAbout, toAuthor, toProfile } from "./account.ts";
import { type Ask, type MastodonSettings, mastodonApi } from "./api.ts";
import { listen } from "./listen.ts";
import { toMicroblogPost } from "./map-post.ts";
import { newestCursor, readHistory, readSince } from "./read-posts.ts";
import { newestSearchCursor, readSearchHistory, readSearchSince } from "./read-search.ts";

/** The microblog on Mastodon, by an account of a server. An `externalId` is an account's id on that server, or a search. */
export function mastodonConnector(settings: MastodonSettings, tools: DriverTools): SocialConnector {
  const ask = mastodonApi(settings, tools);
  const server = { ask, home: new URL(settings.url).host };
  const readingOf = (search: Search) => ({ ask, search, now: tools.now });
  const named = (username: string, signal: AbortSignal) =>
    findAccount(server, { field: "username", value: username }, signal);
  return {
    kind: "microblog",
    driver: "mastodon",
    async resolve(sid, signal) {
      const search = parseSearch(sid);
      if (search) return toSearchSource(search, await newestSearchCursor(readingOf(search), signal));
      const account = await findAccount(server, { field: "sid", value: sid }, signal);
      const { rest_id, name, username } = toAuthor(account);
      const cursor = await newestCursor(ask, account.id, signal);
      return { externalId: rest_id, name, username, kind: "microblog", state: { cursor } };
    },
    // With an account that approves its followers the state stays "requested"; repeating the follow does not change it.
    async follow(externalId, signal) {
      if (isSearch(externalId)) return;
      const id = checkedId("externalId", externalId);
      const options = { notify: true, reblogs: false };
      await ask(signal, ({ v1 }) => v1.accounts.$select(id).follow(options), "follows");
    },
    async unfollow(externalId, signal) {
      if (isSearch(externalId)) return;
      const id = checkedId("externalId", externalId);
      await ask(signal, ({ v1 }) => v1.accounts.$select(id).unfollow(), "follows").catch(unlessGone);
    },
    async since(externalId, cursor, signal) {
      const search = searchOf(externalId);
      if (search && cursor !== null) return await readSearchSince(readingOf(search), cursor, signal);
      if (search)
        return { posts: [], cursor: await newestSearchCursor(readingOf(search), signal), more: false };
      const id = checkedId("externalId", externalId);
      if (cursor !== null) return await readSince(ask, id, checkedId("cursor", cursor), signal);
      return { posts: [], cursor: await newestCursor(ask, id, signal), more: false };
    },
    async history(externalId, { cursor, limit }, signal) {
      const page = { limit, ...(cursor !== undefined && { cursor: checkedId("cursor", cursor) }) };
      const search = searchOf(externalId);
      if (search) return await readSearchHistory(readingOf(search), page, signal);
      return await readHistory(ask, checkedId("externalId", externalId), page, signal);
    },
    listen: (listener, signal) => listen({ ask, settings, tools }, listener, signal),
    async getPost(postId, signal) {
      const url = URL.parse(postId);
      if (url && url.host !== server.home) return toMicroblogPost(await findPost(ask, url.href, signal));
      const id = checkedId("postId", url?.pathname.split("/").at(-1) ?? postId);
      return toMicroblogPost(await ask(signal, ({ v1 }) => v1.statuses.$select(id).fetch()));
    },
    about: async (username, signal) => toAbout(await named(username, signal)),
    profile: async (username, signal) => toProfile(await named(username, signal)),
  };
}

/** A post of another server by its URL, which the home server fetches. */
async function findPost(ask: Ask, q: string, signal: AbortSignal) {
  const query = { q, type: "statuses", resolve: true, limit: 1 } as const;
  const [status] = (await ask(signal, ({ v2 }) => v2.search.list(query))).statuses;
  if (!status) throw fail("not_found", "The Mastodon server knows no such post.");
  return status;
}

/** A deleted account has no followers to remove. */
function unlessGone(error: unknown): void {
  if (codeOf(error) !== "not_found") throw error;
}

/**
 * Ids go into paths, so anything else is refused here. They are strings, "that may look like numbers but are not"
 * (Mastodon's API documentation): GoToSocial's are ULIDs, Pleroma's and Akkoma's base62.
 */
function checkedId(field: string, id: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(id)) return id;
  throw invalid(field, "malformed", `\`${field}\` must be an id that this server has returned.`);
}
