import type { Context } from "moleculer";
import { actions, type CallMeta, handle } from "../../contracts/action.ts";
import { sandboxPost } from "../../contracts/admin.contract.ts";
import { fail } from "../../contracts/errors.ts";
import * as contract from "../../contracts/platforms.contract.ts";
import type { MicroblogPost } from "../../contracts/social.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { follow } from "./follow.ts";
import { refuseForeign } from "./foreign.ts";
import { naming } from "./naming.ts";
import { ask, type Platform, type Terms } from "./platform.ts";
import type { SocialConnector } from "./social-connector.ts";

/** What the operations want of the room. */
export interface SocialHost {
  platformOf(kind: SourceKind): Platform;
  /** Fires when the room stops. */
  closing: AbortController;
}

type Work<Answer> = (connector: SocialConnector, signal: AbortSignal) => Promise<Answer> | undefined;

/**
 * The call as it is answered by the process that alone may use the platform's account; undefined where this one may.
 * Rejects with `connector_unavailable` while none does.
 */
export function passedOn<Answer>(
  { platformOf }: SocialHost,
  ctx: Context<unknown, CallMeta>,
  kind: SourceKind,
): Promise<Answer> | undefined {
  const { connector, isListening, listener } = platformOf(kind);
  if (!connector?.isExclusive || isListening) return undefined;
  const { action, params, service, options, caller } = ctx;
  // It was passed on to us by one who did not know that another has taken over.
  const isLost = caller === service?.fullName;
  if (!listener || !action?.name || isLost)
    return Promise.reject(
      fail("connector_unavailable", "The account is changing hands.", { retry_after: 10 }),
    );
  const { timeout } = options as { timeout?: number };
  const to = { nodeID: listener.nodeId, ...(timeout && { timeout }) };
  return (ctx as Context).call(action.name, params as object, to);
}

/** Has the driver of a platform work for a call, within the time that the caller has. */
export function askFor<Answer>(
  host: SocialHost,
  ctx: Context<unknown, CallMeta>,
  kind: SourceKind,
  work: Work<Answer>,
  terms: Pick<Terms, "isOnce"> = {},
): Promise<Answer> {
  const { timeout } = ctx.options as { timeout?: number };
  const deadline = { closing: host.closing.signal, ...(timeout && { timeoutMs: timeout }) };
  return passedOn(host, ctx, kind) ?? ask(host.platformOf(kind), { ...deadline, ...terms }, work);
}

/** What the room does for the social platforms alone. */
export const socialOperations = actions(
  handle(contract.followSource, "public", function (this: SocialHost, ctx) {
    const { kind, externalId } = ctx.params;
    const platform = this.platformOf(kind);
    return askFor(this, ctx, kind, (driver, signal) => follow(platform, driver, externalId, signal));
  }),
  handle(contract.admission, "public", function (this: SocialHost, ctx) {
    const { kind, sid } = ctx.params;
    // Where nobody has to be let in, everybody is.
    const inAlready = Promise.resolve<contract.Admission>({ state: "in" });
    return askFor(this, ctx, kind, (driver, signal) => driver.admission?.(sid, signal) ?? inAlready);
  }),
  handle(contract.requestJoin, "public", function (this: SocialHost, ctx) {
    const { kind, invite } = ctx.params;
    return askFor(this, ctx, kind, (driver, signal) => driver.join?.(invite, signal), { isOnce: true });
  }),
  handle(contract.checkJoin, "public", function (this: SocialHost, ctx) {
    const { kind, invite } = ctx.params;
    return askFor(this, ctx, kind, (driver, signal) => driver.checkJoin?.(invite, signal));
  }),
  handle(contract.microblogPost, "published", function (this: SocialHost, ctx) {
    const { postId } = ctx.params;
    return askFor(this, ctx, "microblog", (driver, signal) => driver.getPost?.(postId, signal));
  }),
  handle(contract.aboutUser, "published", function (this: SocialHost, ctx) {
    const { username } = ctx.params;
    return askFor(this, ctx, "microblog", (driver, signal) => driver.about?.(username, signal));
  }),
  handle(contract.microblogProfile, "public", function (this: SocialHost, ctx) {
    const { username } = ctx.params;
    return askFor(this, ctx, "microblog", (driver, signal) => driver.profile?.(username, signal));
  }),
  handle(contract.microblogHistory, "public", async function (this: SocialHost, ctx) {
    const { uid, ...page } = ctx.params;
    await refuseForeign(this.platformOf("microblog"), uid);
    const history = askFor(this, ctx, "microblog", (driver, signal) => driver.history(uid, page, signal));
    const { posts, next } = await history.catch(error => {
      throw naming(error, "externalId", "uid");
    });
    return { posts: posts.map(({ data }) => data.post as MicroblogPost), next_cursor: next };
  }),
  handle(contract.searchMessenger, "published", function (this: SocialHost, ctx) {
    return askFor(this, ctx, "messenger", (driver, signal) => driver.search?.(ctx.params, signal));
  }),
  handle(contract.searchChannel, "published", function (this: SocialHost, ctx) {
    return askFor(this, ctx, "messenger", (driver, signal) => driver.search?.(ctx.params, signal));
  }),
  handle(sandboxPost, "published", async function (this: SocialHost, ctx) {
    const { platform, text, ...where } = ctx.params;
    const data = await askFor(this, ctx, platform, driver => {
      if (!driver.post) throw fail("not_found", `The ${platform} of this installation is not simulated.`);
      return driver.post(where, text);
    });
    return { message: "It was posted.", data };
  }),
);
