import { join } from "node:path";
import type { Config } from "../../../mixins/config/config.ts";
import { loadCredentials } from "../../../mixins/config/credentials.ts";
import type { SocialConfig } from "../../../mixins/config/social.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { generateKey } from "../../domain/key/generate-key.ts";
import { world } from "../../domain/sandbox/world.ts";
import { sandboxChatserver } from "../platforms/sandbox/chatserver.ts";
import { sandboxMessenger } from "../platforms/sandbox/messenger.ts";
import { sandboxMicroblog } from "../platforms/sandbox/microblog.ts";
import {
  openJoinRequests,
  openSimulator,
  type StoredJoinRequest,
  type StoredSandboxPost,
} from "../platforms/sandbox/storage.ts";
import { type StoredSession, sessionInFile, sessionInStore } from "../platforms/telegram/stored-session.ts";
import type { ReadCounter } from "../platforms/x/read-budget.ts";
import type { DriverTools, SocialConnector, SocialKind } from "./social-connector.ts";

/** Posts read in a month (UTC, as `2026-08`) from a network that bills reads; `_id` is the network. */
export interface StoredReads {
  _id: string;
  month: string;
  reads: number;
}

/** The stores of the drivers. */
export interface DriverStores {
  reads: Store<StoredReads>;
  sandboxPosts: Store<StoredSandboxPost>;
  joinRequests: Store<StoredJoinRequest>;
  sessions: Store<StoredSession>;
}

export type OpenDriver<Kind extends SocialKind = SocialKind> = (
  config: Config,
  stores: DriverStores,
  tools: DriverTools,
  settings: SocialConfig[Kind][number],
) => Promise<SocialConnector>;

export type OpenDrivers = { [Kind in SocialKind]: OpenDriver<Kind> };

/** Opens a configured driver of a platform. The client library of a network is loaded only when it is configured. */
export const openDriver: OpenDrivers = {
  microblog: openMicroblog,
  chatserver: openChatserver,
  messenger: openMessenger,
};

async function openMicroblog(
  { social: { sandboxEveryMs } }: Config,
  { sandboxPosts, reads }: DriverStores,
  tools: DriverTools,
  settings: SocialConfig["microblog"][number],
): Promise<SocialConnector> {
  switch (settings.driver) {
    case "sandbox":
      return sandboxMicroblog(
        await openSimulator("microblog", world.microblog, sandboxEveryMs, sandboxPosts),
      );
    case "x": {
      const { xConnector } = await import("../platforms/x/connector.ts");
      return xConnector({ ...settings, counter: counterOf("x", reads) }, tools);
    }
    case "bluesky": {
      const { blueskyConnector } = await import("../platforms/bluesky/connector.ts");
      return blueskyConnector(settings, tools);
    }
    case "mastodon": {
      const { mastodonConnector } = await import("../platforms/mastodon/connector.ts");
      return mastodonConnector(settings, tools);
    }
  }
}

async function openChatserver(
  { social: { sandboxEveryMs } }: Config,
  { sandboxPosts }: DriverStores,
  tools: DriverTools,
  settings: SocialConfig["chatserver"][number],
): Promise<SocialConnector> {
  switch (settings.driver) {
    case "sandbox": {
      const channels = world.chatserver.flatMap(server => server.channels);
      return sandboxChatserver(await openSimulator("chatserver", channels, sandboxEveryMs, sandboxPosts));
    }
    case "discord": {
      const { discordConnector } = await import("../platforms/discord/connector.ts");
      return discordConnector(settings, tools);
    }
  }
}

async function openMessenger(
  config: Config,
  { sandboxPosts, joinRequests, sessions }: DriverStores,
  tools: DriverTools,
  settings: SocialConfig["messenger"][number],
): Promise<SocialConnector> {
  const { sandboxEveryMs } = config.social;
  switch (settings.driver) {
    case "sandbox": {
      const simulator = await openSimulator("messenger", world.messenger, sandboxEveryMs, sandboxPosts);
      return sandboxMessenger(simulator, openJoinRequests(joinRequests));
    }
    case "telegram": {
      const { telegramConnector } = await import("../platforms/telegram/connector.ts");
      const { masterSecret } = loadCredentials(config, generateKey);
      const session = config.cluster
        ? sessionInStore(sessions)
        : sessionInFile(join(config.dataDir, "telegram.session"));
      return telegramConnector({ ...settings, session, masterSecret }, tools);
    }
    case "telegram-preview": {
      const preview = await import("../platforms/telegram-preview/connector.ts");
      return preview.telegramPreviewConnector(settings, tools);
    }
  }
}

/** A stored count, which survives restarts and is shared by all processes. */
function counterOf(network: string, store: Store<StoredReads>): ReadCounter {
  return {
    read: () => store.findById(network),
    change: change => store.change(network, count => ({ _id: network, ...change(count) }), "end of process"),
  };
}
