import { Client } from "@xdevplatform/xdk";
import type { ResolvedSource } from "../../../contracts/connectors.contract.ts";
import { codeOf, fail, invalid } from "../../../contracts/errors.ts";
import { isSearch } from "../../../contracts/source.ts";
import { parseSearch, type Search, toSearchSource } from "../../social/search.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { findUser, toAbout, toProfile } from "./account.ts";
import { isRejected, notFound, XApi, type XUser } from "./api.ts";
import type { XContext, XSettings } from "./context.ts";
import { follow, unfollow } from "./follow.ts";
import { listen } from "./listen.ts";
import { ReadBudget } from "./read-budget.ts";
import { getPost, newestCursor, readHistory, readSince } from "./read-posts.ts";
import { type AccountName, parseSid, parseUsername, postIdIn } from "./sid.ts";

/** The microblog X, through an app of its developer platform. */
export function xConnector(settings: XSettings, tools: DriverTools): SocialConnector {
  const { bearerToken, accessToken, baseUrl, silenceMs = 40_000 } = settings;
  const client = new Client({ bearerToken, accessToken, baseUrl: baseUrl?.replace(/\/+$/, "") });
  const now = () => tools.now();
  const x: XContext = {
    api: new XApi(client, tools),
    budget: new ReadBudget(settings, now),
    settings,
    silenceMs,
    tools,
  };
  return {
    kind: "microblog",
    driver: "x",
    resolve: (sid, signal) => resolve(x, sid, signal),
    async follow(externalId, signal) {
      if (!isSearch(externalId)) await follow(x, externalId, signal);
    },
    async unfollow(externalId, signal) {
      if (!isSearch(externalId)) await unfollow(x, externalId, signal);
    },
    since: (userId, cursor, signal) => readSince(x, userId, cursor, signal),
    history: (userId, page, signal) => readHistory(x, userId, page, signal),
    listen: (listener, signal) => listen(x, listener, signal),
    getPost: (postId, signal) => getPost(x, postIdIn(postId), signal),
    about: async (username, signal) => toAbout(await findUser(x, parseUsername(username), signal)),
    profile: async (username, signal) => toProfile(await findUser(x, parseUsername(username), signal)),
  };
}

/** Finds the account that a `sid` means. A protected one is `not_found`: neither the app nor the stream can read it. */
export async function resolve(x: XContext, sid: string, signal: AbortSignal): Promise<ResolvedSource> {
  const search = parseSearch(sid);
  if (search) return await resolveSearch(x, search, signal);
  const { id, username, name, protected: isProtected } = await findAny(x, parseSid(sid), signal);
  if (isProtected) throw fail("not_found", "This account shows its posts to its followers only.");
  const state = { cursor: await newestCursor(x, id, signal) };
  return { externalId: id, username, name, kind: "microblog", state };
}

/** X says what is wrong with a query that it does not take. */
async function resolveSearch(x: XContext, search: Search, signal: AbortSignal): Promise<ResolvedSource> {
  const source = toSearchSource(search, "0");
  try {
    return { ...source, state: { cursor: await newestCursor(x, source.externalId, signal) } };
  } catch (error) {
    if (!isRejected(error)) throw error;
    throw Object.assign(invalid("sid", "malformed", (error as Error).message), { cause: error });
  }
}

/** The first of these accounts that X knows. */
async function findAny(
  x: XContext,
  [account, ...others]: AccountName[],
  signal: AbortSignal,
): Promise<XUser> {
  if (!account) throw notFound();
  try {
    return await findUser(x, account, signal);
  } catch (error) {
    if (others.length === 0 || codeOf(error) !== "not_found") throw error;
    return await findAny(x, others, signal);
  }
}
