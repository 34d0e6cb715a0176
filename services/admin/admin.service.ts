import { Readable } from "node:stream";
import type { Context, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { tarOf } from "../../mixins/store/backup/archive.ts";
import { refuseSecond, snapshotOf } from "../../mixins/store/backup/snapshot.ts";
import { actions, call } from "../contracts/action.ts";
import * as contract from "../contracts/admin.contract.ts";
import { microblogHistory, readMicroblogProfile, resolveSource } from "../contracts/connectors.contract.ts";
import { type ErrorExtras, fail, invalid } from "../contracts/errors.ts";
import { operations, service } from "../contracts/service.ts";
import { isSearch } from "../contracts/source.ts";
import { foreseePosts, receivePosts } from "../contracts/tracker.contract.ts";

import { type AccountPosts, backfill, rangeOf } from "./backfill.ts";
import { dispatch, type Foreseeing, foresee } from "./dispatch.ts";

/** Shorter than the gateway waits, so that the platform's own message arrives. */
const historyTimeoutMs = 60_000;
const receiveTimeoutMs = 15_000;

const { published } = operations(() => undefined);

/** What administrators do by hand: fetch the past posts of an account, and dispatch posts to those who track it. */
export function adminService(config?: Pick<Config, "dataDir" | "cluster">): ServiceSchema {
  return service<object>({
    name: "admin",
    actions: actions(
      published(contract.backfill, async (_, { since, until, uid, username, ...page }, { ctx }) => {
        const range = rangeOf({ since, until });
        const account = await accountOf(ctx, { uid, username });
        const { posts, next } = await backfill(accountPosts(ctx), { ...page, ...range, uid: account });
        if (next !== null) ctx.meta.$responseHeaders = { "x-next-cursor": next };
        return posts;
      }),
      published(contract.dispatch, (_, { dry_run, network, ...body }, { ctx }) => {
        const idOf = (id: string) => (network === undefined ? id : `${network}:${id}`);
        const { receive } = accountPosts(ctx);
        return dry_run
          ? foresee((id, posts) => foreseeing(ctx)(idOf(id), posts), body)
          : dispatch({ receive: (id, posts) => receive(idOf(id), posts) }, body);
      }),
      published(contract.takeSnapshot, () => snapshot(config ?? configFromEnv())),
    ),
  });
}

export default (): ServiceSchema => adminService();

function snapshot({ dataDir, cluster }: Pick<Config, "dataDir" | "cluster">): Readable {
  if (cluster)
    throw fail(
      "conflict",
      "A cluster keeps nothing in a data folder. Run magpie backup where its settings are, see /guide/backup-and-restore.",
    );
  // An answer that has begun has no status left to say it with.
  refuseSecond(dataDir);
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

function foreseeing(ctx: Context<unknown, object>): Foreseeing {
  return (externalId, posts) =>
    call(
      ctx as Context,
      foreseePosts,
      { kind: "microblog", externalId, posts },
      { timeout: receiveTimeoutMs },
    );
}

/** The id of the account that a request names, by exactly one of the two. */
async function accountOf(
  ctx: Context<unknown, object>,
  { uid, username }: { uid?: string; username?: string },
): Promise<string> {
  if ((uid === undefined) === (username === undefined))
    throw invalid("uid", "exactly_one", "Give exactly one of `uid` and `username`.");
  if (username === undefined) return uid as string;
  const name = username.replace(/^@/, "");
  // An id of another network than the default has its name; who is meant by a bare name costs one request.
  return /[:/]|.@/.test(name) && !isSearch(name)
    ? await idNamed(ctx, name)
    : (await call(ctx as Context, readMicroblogProfile, { username: name })).id;
}

async function idNamed(ctx: Context<unknown, object>, sid: string): Promise<string> {
  try {
    return (await call(ctx as Context, resolveSource, { kind: "microblog", sid })).externalId;
  } catch (error) {
    const { data, message } = Object(error) as Error & { data?: ErrorExtras };
    const [detail] = data?.details ?? [];
    if (detail?.field !== "sid") throw error;
    throw fail("validation_failed", message, { details: [{ ...detail, field: "username" }] }, error);
  }
}
