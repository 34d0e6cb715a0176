import type { SocialConfig } from "../../../mixins/config/social.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import { followId, type Platform, type StoredFollow } from "./platform.ts";
import type { SocialConnector, SocialKind } from "./social-connector.ts";

/** Finds what a `sid` means on the platform's network. */
export async function resolve(
  platform: Platform,
  connector: SocialConnector,
  sid: string,
  signal: AbortSignal,
): Promise<ResolvedSource> {
  const found = await connector.resolve(sid, signal);
  await refuseOtherNetwork(platform, found.externalId);
  return found;
}

/** Follows a source: its posts come in live from now on. The store keeps a mark that it is followed. */
export async function follow(
  { kind, network, tracked, follows, broadcast }: Platform,
  connector: SocialConnector,
  externalId: string,
  signal: AbortSignal,
): Promise<null> {
  await connector.follow(externalId, signal);
  await follows.upsert(followId(kind, externalId), { $set: { network } });
  tracked.add(externalId);
  broadcast({ what: "followed", externalId });
  return null;
}

/** Unfollows a source that nobody tracks. Removes the mark first: a tracked source without one is followed again. */
export async function unfollow(
  { kind, network, otherNetworkIds, tracked, follows, broadcast }: Platform,
  connector: SocialConnector,
  externalId: string,
  signal: AbortSignal,
): Promise<null> {
  tracked.remove(externalId);
  const mark = await follows.remove(followId(kind, externalId));
  broadcast({ what: "unfollowed", externalId });
  // The id belongs to another network, so this one never followed it.
  const wasOnOtherNetwork = otherNetworkIds.delete(externalId) || (mark && mark.network !== network);
  if (!wasOnOtherNetwork) await connector.unfollow(externalId, signal);
  return null;
}

/*
 * A platform may have been moved to another network while sources were tracked on the one before. Their ids mean other
 * accounts here, or none. They are neither followed nor read, so that nobody receives a stranger's posts, until they are
 * no longer tracked or the platform is back on their network.
 */

/** The scope of a platform's ids: the network, or the home server where each server has its own ids. */
export function networkOf(settings: SocialConfig[SocialKind]): string {
  return settings.driver === "mastodon" ? `mastodon ${settings.url}` : settings.driver;
}

/** The external ids of tracked sources that belong to another network. */
export async function idsOfOtherNetworks(
  kind: SocialKind,
  network: string,
  follows: Store<StoredFollow>,
): Promise<Set<string>> {
  const prefix = `${kind} `;
  const marks = await follows.find({ query: { network: { $ne: network } } });
  const ids = marks.map(({ _id }) => _id).filter(id => id.startsWith(prefix));
  return new Set(ids.map(id => id.slice(prefix.length)));
}

/** Whether an id still means a source of another network; another process may have unfollowed it. */
export async function isOfOtherNetwork(
  {
    kind,
    network,
    otherNetworkIds,
    follows,
  }: Pick<Platform, "kind" | "network" | "otherNetworkIds" | "follows">,
  externalId: string,
): Promise<boolean> {
  if (!otherNetworkIds.has(externalId)) return false;
  const mark = await follows.findById(followId(kind, externalId));
  if (mark && mark.network !== network) return true;
  otherNetworkIds.delete(externalId);
  return false;
}

/** Throws `conflict` where an id still means a source of another network. */
export async function refuseOtherNetwork(
  platform: Pick<Platform, "kind" | "network" | "otherNetworkIds" | "follows">,
  externalId: string,
): Promise<void> {
  const { kind } = platform;
  if (await isOfOtherNetwork(platform, externalId))
    throw fail(
      "conflict",
      `The id ${externalId} is still tracked as a source of another network, from before this installation's ${kind} moved. Stop tracking that one first.`,
    );
}

/** Why a source of another network cannot be read. */
export function otherNetworkReason(kind: SocialKind): string {
  return `This installation's ${kind} has moved to another network, which does not have this source. Stop tracking it.`;
}
