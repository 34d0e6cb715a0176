import { codeOf, invalid } from "../../../contracts/errors.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { type MastodonSettings, mastodonApi } from "./api.ts";
import { findAccount } from "./find-account.ts";
import { listenToStream } from "./listen.ts";
import { toAbout, toAuthor, toProfile } from "./map-account.ts";
import { toMicroblogPost } from "./map-status.ts";
import { newestCursor, statusesBefore, statusesSince } from "./read-statuses.ts";

export type { MastodonSettings } from "./api.ts";

/** The microblog on Mastodon, by an account of a server. An `externalId` is an account's number on that server. */
export function mastodonConnector(settings: MastodonSettings, tools: DriverTools): SocialConnector {
  const ask = mastodonApi(settings, tools);
  const server = { ask, home: new URL(settings.url).host };
  const named = (username: string, signal: AbortSignal) =>
    findAccount(server, { field: "username", value: username }, signal);
  return {
    kind: "microblog",
    driver: "mastodon",
    async resolve(sid, signal) {
      const account = await findAccount(server, { field: "sid", value: sid }, signal);
      const { rest_id, name, username } = toAuthor(account);
      const cursor = await newestCursor(ask, account.id, signal);
      return { externalId: rest_id, name, username, kind: "microblog", state: { cursor } };
    },
    // An account that approves its followers stays "requested", which a repeated follow does not change.
    async follow(externalId, signal) {
      const id = numeric("externalId", externalId);
      const options = { notify: true, reblogs: false };
      await ask(signal, ({ v1 }) => v1.accounts.$select(id).follow(options), "follows");
    },
    async unfollow(externalId, signal) {
      const id = numeric("externalId", externalId);
      await ask(signal, ({ v1 }) => v1.accounts.$select(id).unfollow(), "follows").catch(unlessGone);
    },
    async since(externalId, cursor, signal) {
      const id = numeric("externalId", externalId);
      if (cursor !== null) return await statusesSince(ask, id, numeric("cursor", cursor), signal);
      return { posts: [], cursor: await newestCursor(ask, id, signal), more: false };
    },
    async history(externalId, { cursor, limit }, signal) {
      const page = { limit, ...(cursor !== undefined && { cursor: numeric("cursor", cursor) }) };
      return await statusesBefore(ask, numeric("externalId", externalId), page, signal);
    },
    listen: (listener, signal) => listenToStream({ ask, settings, tools }, listener, signal),
    async getPost(postId, signal) {
      const id = numeric("postId", postId);
      return toMicroblogPost(await ask(signal, ({ v1 }) => v1.statuses.$select(id).fetch()));
    },
    about: async (username, signal) => toAbout(await named(username, signal)),
    profile: async (username, signal) => toProfile(await named(username, signal)),
  };
}

/** Nobody follows an account that is gone. */
function unlessGone(error: unknown): void {
  if (codeOf(error) !== "not_found") throw error;
}

/** Ids go into paths, so that anything but a number is refused here. */
function numeric(field: string, id: string): string {
  if (/^\d{1,20}$/.test(id)) return id;
  throw invalid(field, "invalid", `\`${field}\` must be a number, as this Mastodon server gives it.`);
}
