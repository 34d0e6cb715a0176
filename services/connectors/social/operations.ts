import { actions } from "../../contracts/action.ts";
import { sandboxPost } from "../../contracts/admin.contract.ts";
import * as contract from "../../contracts/connectors.contract.ts";
import { codeOf, type ErrorExtras, fail, invalid } from "../../contracts/errors.ts";
import { operations } from "../../contracts/service.ts";
import type { MicroblogPost } from "../../contracts/social.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { type SocialHost, withDriver, withNamedDriver } from "./ask-driver.ts";
import { follow } from "./follow.ts";
import { otherNetworkReason, platformOfId } from "./networks.ts";
import type { Platform } from "./platform.ts";

/** The platform of a stored id. `conflict` where it is on none of the networks. */
async function platformOf(host: SocialHost, kind: SourceKind, externalId: string): Promise<Platform> {
  const networks = host.networksOf(kind);
  const platform = await platformOfId(networks, externalId);
  if (platform) return platform;
  throw fail("conflict", otherNetworkReason(networks.kind));
}

const { published, internal } = operations((host: SocialHost) => host);

const microblog = { kind: "microblog" } as const;

/** Operations of the social platforms. */
export const socialOperations = actions(
  internal(contract.followSource, async (host, { kind, externalId }, { ctx }) => {
    const platform = await platformOf(host, kind, externalId);
    return await withDriver(host, ctx, platform, (driver, signal) =>
      follow(platform, driver, externalId, signal),
    );
  }),
  internal(contract.admission, (host, { kind, sid }, { ctx }) => {
    // A platform without join requests lets everybody read.
    const joined = Promise.resolve<contract.Admission>({ state: "in" });
    const wanted = { kind, text: sid, field: "sid" };
    return withNamedDriver(
      host,
      ctx,
      wanted,
      (driver, text, signal) => driver.admission?.(text, signal) ?? joined,
    );
  }),
  internal(contract.requestJoin, (host, { kind, invite }, { ctx }) =>
    withNamedDriver(
      host,
      ctx,
      { kind, text: invite, field: "invite" },
      (driver, text, signal) => driver.join?.(text, signal),
      { isOnce: true },
    ),
  ),
  internal(contract.checkJoin, (host, { kind, invite }, { ctx }) =>
    withNamedDriver(host, ctx, { kind, text: invite, field: "invite" }, (driver, text, signal) =>
      driver.checkJoin?.(text, signal),
    ),
  ),
  published(contract.readMicroblogPost, (host, { postId }, { ctx }) =>
    withNamedDriver(host, ctx, { ...microblog, text: postId, field: "postId" }, (driver, text, signal) =>
      driver.getPost?.(text, signal),
    ),
  ),
  published(contract.aboutUser, (host, { username }, { ctx }) =>
    withNamedDriver(host, ctx, { ...microblog, text: username, field: "username" }, (driver, text, signal) =>
      driver.about?.(text, signal),
    ),
  ),
  internal(contract.readMicroblogProfile, (host, { username }, { ctx }) =>
    withNamedDriver(host, ctx, { ...microblog, text: username, field: "username" }, (driver, text, signal) =>
      driver.profile?.(text, signal),
    ),
  ),
  internal(contract.microblogHistory, async (host, { uid, ...page }, { ctx }) => {
    const platform = await platformOf(host, "microblog", uid);
    const history = withDriver(host, ctx, platform, (driver, signal) => driver.history(uid, page, signal));
    const { posts, next } = await history.catch(error => {
      throw renameField(error, "externalId", "uid");
    });
    return { posts: posts.map(({ data }) => data.post as MicroblogPost), next_cursor: next };
  }),
  published(contract.searchMessenger, (host, params, { ctx }) => {
    const { platforms } = host.networksOf("messenger");
    const able = platforms.find(({ connector }) => connector?.search !== undefined) ?? platforms[0];
    return withDriver(host, ctx, able, (driver, signal) => driver.search?.(params, signal));
  }),
  published(contract.searchChannel, (host, { channelId, ...params }, { ctx }) =>
    withNamedDriver(
      host,
      ctx,
      { kind: "messenger", text: channelId, field: "channelId" },
      (driver, text, signal) => driver.search?.({ ...params, channelId: text }, signal),
    ),
  ),
  published(sandboxPost, async (host, { platform, text, language, media, ...where }, { ctx }) => {
    const shown = media?.map(each => ({ url: null, preview_url: null, alt: null, ...each }));
    const remarks = { ...(language !== undefined && { language }), ...(shown && { media: shown }) };
    const [unknown] = platform === "microblog" ? [] : Object.keys(remarks);
    if (unknown) throw invalid(unknown, "not_applicable", `\`${unknown}\` is for posts of the microblog.`);
    const { platforms } = host.networksOf(platform);
    const simulated = platforms.find(({ driver }) => driver === "sandbox") ?? platforms[0];
    const data = await withDriver(host, ctx, simulated, driver => {
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
