import type { Context, ServiceSchema } from "moleculer";
import { actions, type CallMeta, call, handle } from "../contracts/action.ts";
import * as contract from "../contracts/admin.contract.ts";
import { microblogHistory, receivePosts } from "../contracts/platforms.contract.ts";
import { backfill } from "./backfill.ts";
import { dispatch } from "./dispatch.ts";
import type { Outside } from "./outside.ts";

/** Below what the gateway waits, so that a network's own sentence arrives. */
const historyTimeoutMs = 60_000;
const receiveTimeoutMs = 15_000;

/** The room of what administrators do by hand: posts that are fetched anew, and posts that are handed on. */
export function adminService(): ServiceSchema {
  return {
    name: "admin",
    actions: actions(
      handle(contract.backfill, "published", async (ctx: Context<contract.Backfill, CallMeta>) => {
        const { posts, next } = await backfill(outsideOf(ctx), ctx.params);
        if (next !== null) ctx.meta.$responseHeaders = { "x-next-cursor": next };
        return posts;
      }),
      handle(contract.dispatch, "published", ctx => dispatch(outsideOf(ctx), ctx.params)),
    ),
  };
}

export default adminService;

function outsideOf(ctx: Context<unknown, CallMeta>): Outside {
  const bus = ctx as Context;
  return {
    history: page => call(bus, microblogHistory, page, { timeout: historyTimeoutMs }),
    receive: (externalId, posts) =>
      call(bus, receivePosts, { kind: "microblog", externalId, posts }, { timeout: receiveTimeoutMs }),
  };
}
