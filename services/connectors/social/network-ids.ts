import { splitNetwork } from "../../contracts/source.ts";
import { idOn, type Networks } from "./networks.ts";
import type { Platform } from "./platform.ts";
import type { Listener, SocialConnector } from "./social-connector.ts";

/** The driver of a network with the ids of this installation: it knows only those of its network. */
export function withNetworkIds(
  connector: SocialConnector,
  networks: Networks,
  platform: Platform,
): SocialConnector {
  const { admission } = connector;
  const own = (externalId: string) => ownId(platform, externalId);
  return {
    ...connector,
    async resolve(sid, signal) {
      const found = await connector.resolve(sid, signal);
      const externalId = await idOn(networks, platform, found.externalId);
      return { ...found, externalId, network: platform.driver };
    },
    follow: (externalId, signal) => connector.follow(own(externalId), signal),
    unfollow: (externalId, signal) => connector.unfollow(own(externalId), signal),
    since: (externalId, cursor, signal) => connector.since(own(externalId), cursor, signal),
    history: (externalId, page, signal) => connector.history(own(externalId), page, signal),
    listen: (listener, signal) => connector.listen(ownListener(networks, platform, listener), signal),
    ...(admission && {
      async admission(sid: string, signal: AbortSignal) {
        const found = await admission(sid, signal);
        if (found.state === "in" || isDefault(networks, platform)) return found;
        return { ...found, invite: `${platform.driver}:${found.invite}` };
      },
    }),
  };
}

function isDefault({ platforms: [first] }: Networks, { driver }: Platform): boolean {
  return driver === first.driver;
}

function ownId({ driver }: Platform, externalId: string): string {
  const { network, rest } = splitNetwork(externalId);
  return network === driver ? rest : externalId;
}

/** What the driver hears is of one source, which has its id as it was when it was first tracked. */
function ownListener(networks: Networks, platform: Platform, listener: Listener): Listener {
  const heard = (id: string): string => {
    const prefixed = `${platform.driver}:${id}`;
    if (listener.isTracked(prefixed)) return prefixed;
    return listener.isTracked(id) || isDefault(networks, platform) ? id : prefixed;
  };
  return {
    isTracked: id => listener.isTracked(heard(id)),
    tracked: () => listener.tracked().map(externalId => ownId(platform, externalId)),
    onTracked: changed => listener.onTracked(changed),
    onPosts: (id, posts) => listener.onPosts(heard(id), posts),
    onGap: ids => listener.onGap(ids?.map(heard)),
    onLost: reason => listener.onLost(reason),
  };
}
