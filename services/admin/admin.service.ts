import { Readable } from "node:stream";
import type { Context, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { tarOf } from "../../mixins/store/backup/archive.ts";
import { snapshotOf } from "../../mixins/store/backup/snapshot.ts";
import { actions, call } from "../contracts/action.ts";
import * as contract from "../contracts/admin.contract.ts";
import { microblogHistory } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import { operations, service } from "../contracts/service.ts";
import { receivePosts } from "../contracts/tracker.contract.ts";

import { type AccountPosts, backfill } from "./backfill.ts";
import { dispatch } from "./dispatch.ts";

/** Shorter than the gateway waits, so that the platform's own message arrives. */
const historyTimeoutMs = 60_000;
const receiveTimeoutMs = 15_000;

const { published } = operations(() => undefined);

/** What administrators do by hand: fetch the past posts of an account, and dispatch posts to those who track it. */
export function adminService(config?: Pick<Config, "dataDir" | "cluster">): ServiceSchema {
  return service<object>({
    name: "admin",
    actions: actions(
      published(contract.backfill, async (_, params, { ctx }) => {
        const { posts, next } = await backfill(accountPosts(ctx), params);
        if (next !== null) ctx.meta.$responseHeaders = { "x-next-cursor": next };
        return posts;
      }),
      published(contract.dispatch, (_, body, { ctx }) => dispatch(accountPosts(ctx), body)),
      published(contract.takeSnapshot, () => snapshot(config ?? configFromEnv())),
    ),
  });
}

export default (): ServiceSchema => adminService();

function snapshot({ dataDir, cluster }: Pick<Config, "dataDir" | "cluster">): Readable {
  if (cluster)
    throw fail(
      "conflict",
      "A cluster keeps nothing in a data folder. Back its servers up, see /guide/backup-and-restore.",
    );
  return Readable.from(tarOf(snapshotOf(dataDir)), { objectMode: false });
}

function accountPosts(ctx: Context<unknown, object>): AccountPosts {
  const bus = ctx as Context;
  return {
    history: page => call(bus, microblogHistory, page, { timeout: historyTimeoutMs }),
    receive: (externalId, posts) =>
      call(bus, receivePosts, { kind: "microblog", externalId, posts }, { timeout: receiveTimeoutMs }),
  };
}
