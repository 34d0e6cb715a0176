import type { Context } from "moleculer";
import { actions } from "../../contracts/action.ts";
import { sandboxPost } from "../../contracts/admin.contract.ts";
import type { CallMeta } from "../../contracts/caller.ts";
import * as contract from "../../contracts/connectors.contract.ts";
import { codeOf, type ErrorExtras, fail, invalid } from "../../contracts/errors.ts";
import { operations } from "../../contracts/service.ts";
import type { MicroblogPost } from "../../contracts/social.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { follow, refuseOtherNetwork } from "./follow.ts";
import { type CallTerms, callDriver, type Platform } from "./platform.ts";
import type { SocialConnector } from "./social-connector.ts";

/** What the operations need of the service. */
export interface SocialHost {
  platformOf(kind: SourceKind): Platform;
  /** Fires when the service stops. */
  closing: AbortController;
}

type Work<Answer> = (connector: SocialConnector, signal: AbortSignal) => Promise<Answer> | undefined;

/**
 * Forwards the call to the only process that may use the platform's account; undefined where this process may. Rejects
 * with `connector_unavailable` while no process holds the account.
 */
export function forwardToListener<Answer>(
  { platformOf }: SocialHost,
  ctx: Context<unknown, CallMeta>,
  kind: SourceKind,
): Promise<Answer> | undefined {
  const { connector, isListening, listener } = platformOf(kind);
  if (!connector?.isExclusive || isListening) return undefined;
  const { action, params, service, options, caller } = ctx;
  // A process forwarded it that did not know yet that another one has taken over.
  const isMisrouted = caller === service?.fullName;
  if (!listener || !action?.name || isMisrouted)
    return Promise.reject(
      fail("connector_unavailable", "The account moves to another process. Try again shortly.", {
        retry_after: 10,
      }),
    );
  const { timeout } = options as { timeout?: number };
  const to = { nodeID: listener.nodeId, ...(timeout && { timeout }) };
  return (ctx as Context).call(action.name, params as object, to);
}

/** Runs a call with the driver of a platform, within the deadline of the caller. */
export function withDriver<Answer>(
  host: SocialHost,
  ctx: Context<unknown, CallMeta>,
  kind: SourceKind,
  work: Work<Answer>,
  terms: Pick<CallTerms, "isOnce"> = {},
): Promise<Answer> {
  const { timeout } = ctx.options as { timeout?: number };
  const deadline = { closing: host.closing.signal, ...(timeout && { timeoutMs: timeout }) };
  return (
    forwardToListener(host, ctx, kind) ?? callDriver(host.platformOf(kind), { ...deadline, ...terms }, work)
  );
}

const { published, internal } = operations((host: SocialHost) => host);

/** Operations of the social platforms. */
export const socialOperations = actions(
  internal(contract.followSource, (host, { kind, externalId }, { ctx }) => {
    const platform = host.platformOf(kind);
    return withDriver(host, ctx, kind, (driver, signal) => follow(platform, driver, externalId, signal));
  }),
  internal(contract.admission, (host, { kind, sid }, { ctx }) => {
    // A platform without join requests lets everybody read.
    const joined = Promise.resolve<contract.Admission>({ state: "in" });
    return withDriver(host, ctx, kind, (driver, signal) => driver.admission?.(sid, signal) ?? joined);
  }),
  internal(contract.requestJoin, (host, { kind, invite }, { ctx }) =>
    withDriver(host, ctx, kind, (driver, signal) => driver.join?.(invite, signal), { isOnce: true }),
  ),
  internal(contract.checkJoin, (host, { kind, invite }, { ctx }) =>
    withDriver(host, ctx, kind, (driver, signal) => driver.checkJoin?.(invite, signal)),
  ),
  published(contract.readMicroblogPost, (host, { postId }, { ctx }) =>
    withDriver(host, ctx, "microblog", (driver, signal) => driver.getPost?.(postId, signal)),
  ),
  published(contract.aboutUser, (host, { username }, { ctx }) =>
    withDriver(host, ctx, "microblog", (driver, signal) => driver.about?.(username, signal)),
  ),
  internal(contract.readMicroblogProfile, (host, { username }, { ctx }) =>
    withDriver(host, ctx, "microblog", (driver, signal) => driver.profile?.(username, signal)),
  ),
  internal(contract.microblogHistory, async (host, { uid, ...page }, { ctx }) => {
    await refuseOtherNetwork(host.platformOf("microblog"), uid);
    const history = withDriver(host, ctx, "microblog", (driver, signal) => driver.history(uid, page, signal));
    const { posts, next } = await history.catch(error => {
      throw renameField(error, "externalId", "uid");
    });
    return { posts: posts.map(({ data }) => data.post as MicroblogPost), next_cursor: next };
  }),
  published(contract.searchMessenger, (host, params, { ctx }) =>
    withDriver(host, ctx, "messenger", (driver, signal) => driver.search?.(params, signal)),
  ),
  published(contract.searchChannel, (host, params, { ctx }) =>
    withDriver(host, ctx, "messenger", (driver, signal) => driver.search?.(params, signal)),
  ),
  published(sandboxPost, async (host, { platform, text, language, media, ...where }, { ctx }) => {
    const shown = media?.map(each => ({ url: null, preview_url: null, alt: null, ...each }));
    const remarks = { ...(language !== undefined && { language }), ...(shown && { media: shown }) };
    const [unknown] = platform === "microblog" ? [] : Object.keys(remarks);
    if (unknown) throw invalid(unknown, "not_applicable", `\`${unknown}\` is for posts of the microblog.`);
    const data = await withDriver(host, ctx, platform, driver => {
      if (!driver.post) throw fail("not_found", `The ${platform} of this installation is not simulated.`);
      return driver.post(where, text, remarks);
    });
    return { message: "It was posted.", data };
  }),
);

/** The error with the field name that the caller used. */
function renameField(error: unknown, from: string, to: string): unknown {
  const { data, message } = Object(error) as Error & { data?: ErrorExtras };
  if (codeOf(error) !== "validation_failed" || !data?.details) return error;
  const details = data.details.map(each => (each.field === from ? { ...each, field: to } : each));
  return fail("validation_failed", message, { ...data, details }, error);
}
