import type { SocialConfig } from "../../../mixins/config/social.ts";
import { type Networks, noteMark } from "./networks.ts";
import { followId, type Platform } from "./platform.ts";
import type { SocialConnector, SocialKind } from "./social-connector.ts";

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

/** Unfollows a source that nobody tracks. */
export async function unfollow(
  networks: Networks,
  { kind, tracked, follows, broadcast }: Platform,
  connector: SocialConnector,
  externalId: string,
  signal: AbortSignal,
): Promise<null> {
  const forget = async () => {
    await follows.remove(followId(kind, externalId));
    noteMark(networks, externalId);
    broadcast({ what: "unfollowed", externalId });
  };
  tracked.remove(externalId);
  // The mark goes first: a tracked source without one is followed again. That of a stray says whom to ask the next time.
  const isStray = networks.strays.has(externalId);
  if (!isStray) await forget();
  await connector.unfollow(externalId, signal);
  if (isStray) await forget();
  return null;
}

/** Forgets a source on a network that this installation does not have. */
export async function forgetFollow(networks: Networks, externalId: string): Promise<null> {
  const { kind, follows, platforms } = networks;
  await follows.remove(followId(kind, externalId));
  noteMark(networks, externalId);
  platforms[0].broadcast({ what: "unfollowed", externalId });
  return null;
}

/** The scope of a platform's ids: the network, or the home server where each server has its own ids. */
export function networkOf(settings: SocialConfig[SocialKind][number]): string {
  return settings.driver === "mastodon" ? `mastodon ${settings.url}` : settings.driver;
}
