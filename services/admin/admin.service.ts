import type { Context, ServiceSchema } from "moleculer";
import { actions, call } from "../contracts/action.ts";
import * as contract from "../contracts/admin.contract.ts";
import { microblogHistory } from "../contracts/connectors.contract.ts";
import { operations, service } from "../contracts/service.ts";
import { receivePosts } from "../contracts/tracker.contract.ts";

import { type AccountPosts, backfill } from "./backfill.ts";
import { dispatch } from "./dispatch.ts";

/** Shorter than the gateway waits, so that the platform's own message arrives. */
const historyTimeoutMs = 60_000;
const receiveTimeoutMs = 15_000;

const { published } = operations(() => undefined);

/** What administrators do by hand: fetch the past posts of an account, and dispatch posts to those who track it. */
export function adminService(): ServiceSchema {
  return service<object>({
    name: "admin",
    actions: actions(
      published(contract.backfill, async (_, params, { ctx }) => {
        const { posts, next } = await backfill(accountPosts(ctx), params);
        if (next !== null) ctx.meta.$responseHeaders = { "x-next-cursor": next };
        return posts;
      }),
      published(contract.dispatch, (_, body, { ctx }) => dispatch(accountPosts(ctx), body)),
    ),
  });
}

export default adminService;

function accountPosts(ctx: Context<unknown, object>): AccountPosts {
  const bus = ctx as Context;
  return {
    history: page => call(bus, microblogHistory, page, { timeout: historyTimeoutMs }),
    receive: (externalId, posts) =>
      call(bus, receivePosts, { kind: "microblog", externalId, posts }, { timeout: receiveTimeoutMs }),
  };
}
