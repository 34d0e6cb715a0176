import { Client } from "@xdevplatform/xdk";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { findUser } from "./find-user.ts";
import { follow, unfollow } from "./follow.ts";
import { getPost } from "./get-post.ts";
import { history } from "./history.ts";
import { listen } from "./listen.ts";
import { toAbout, toProfile } from "./map-user.ts";
import { parseUsername } from "./parse-sid.ts";
import { ReadBudget, type ReadBudgetSettings } from "./read-budget.ts";
import { resolve } from "./resolve.ts";
import type { XRoom } from "./room.ts";
import { since } from "./since.ts";
import { XApi } from "./x-api.ts";

/** The microblog X, through an app of its developer platform. */
export interface XSettings extends ReadBudgetSettings {
  /** X_BEARER_TOKEN: of the app, for all reading. */
  bearerToken?: string;
  /** X_ACCESS_TOKEN: OAuth 2.0, of the account that follows; nobody is followed without. */
  accessToken?: string;
  /** X_BASE_URL, for a stand-in. */
  baseUrl?: string;
  /** Minutes of posts that a new connection brings again, 1 to 5; of some plans only, and polls fill the gap as well. */
  backfillMinutes?: number;
  /** Milliseconds of silence after which a stream is taken for dead; X breaks it every 20 seconds. */
  silenceMs?: number;
  /** Milliseconds between two changes of the stream's rules. */
  rulesEveryMs?: number;
}

export function xConnector(settings: XSettings, tools: DriverTools): SocialConnector {
  const { bearerToken, accessToken, baseUrl, silenceMs = 40_000 } = settings;
  const client = new Client({ bearerToken, accessToken, baseUrl: baseUrl?.replace(/\/+$/, "") });
  const now = () => tools.now();
  const x: XRoom = {
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
    follow: (userId, signal) => follow(x, userId, signal),
    unfollow: (userId, signal) => unfollow(x, userId, signal),
    since: (userId, cursor, signal) => since(x, userId, cursor, signal),
    history: (userId, page, signal) => history(x, userId, page, signal),
    listen: (listener, signal) => listen(x, listener, signal),
    getPost: (postId, signal) => getPost(x, postId, signal),
    about: async (username, signal) => toAbout(await findUser(x, parseUsername(username), signal)),
    profile: async (username, signal) => toProfile(await findUser(x, parseUsername(username), signal)),
  };
}
