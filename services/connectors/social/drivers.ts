import { join } from "node:path";
import type { Config } from "../../../mixins/config/config.ts";
import { loadCredentials } from "../../../mixins/config/credentials.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { generateKey } from "../../domain/key/generate-key.ts";
import { world } from "../../domain/sandbox/world.ts";
import { sandboxChatserver } from "../chatserver/sandbox.connector.ts";
import { sandboxMessenger } from "../messenger/sandbox.connector.ts";
import { inFile, inStore, type StoredSession } from "../messenger/telegram/session-places.ts";
import { sandboxMicroblog } from "../microblog/sandbox.connector.ts";
import type { ReadCounter } from "../microblog/x/read-budget.ts";
import type { SocialKind } from "./kinds.ts";
import { openDoor, openStage, type StoredKnock, type StoredSaid } from "./sandbox/open-sandbox.ts";
import type { DriverTools, SocialConnector } from "./social-connector.ts";

/** Posts that were read in a month (UTC, as `2026-08`), where the network bills them; `_id` is the network. */
export interface StoredReads {
  _id: string;
  month: string;
  reads: number;
}

const readsCollection = "social_reads";

/** What drivers keep. */
export interface DriverStores {
  reads: Store<StoredReads>;
  said: Store<StoredSaid>;
  knocks: Store<StoredKnock>;
  sessions: Store<StoredSession>;
}

export type OpenDriver = (
  config: Config,
  stores: DriverStores,
  tools: DriverTools,
) => Promise<SocialConnector>;

/** Opens the driver that a platform is configured with. The client of a network is loaded only when it is chosen. */
export const openDriver: Record<SocialKind, OpenDriver> = {
  microblog: openMicroblog,
  chatserver: openChatserver,
  messenger: openMessenger,
};

async function openMicroblog(
  { social: { microblog: settings, sandboxEveryMs } }: Config,
  { said, reads }: DriverStores,
  tools: DriverTools,
): Promise<SocialConnector> {
  switch (settings.driver) {
    case "sandbox":
      return sandboxMicroblog(await openStage("microblog", world.microblog, sandboxEveryMs, said));
    case "x": {
      const { xConnector } = await import("../microblog/x/x.connector.ts");
      return xConnector({ ...settings, counter: counterOf("x", reads) }, tools);
    }
    case "bluesky": {
      const { blueskyConnector } = await import("../microblog/bluesky/bluesky.connector.ts");
      return blueskyConnector(settings, tools);
    }
    case "mastodon": {
      const { mastodonConnector } = await import("../microblog/mastodon/mastodon.connector.ts");
      return mastodonConnector(settings, tools);
    }
  }
}

async function openChatserver(
  { social: { chatserver: settings, sandboxEveryMs } }: Config,
  { said }: DriverStores,
  tools: DriverTools,
): Promise<SocialConnector> {
  switch (settings.driver) {
    case "sandbox": {
      const channels = world.chatserver.flatMap(server => server.channels);
      return sandboxChatserver(await openStage("chatserver", channels, sandboxEveryMs, said));
    }
    case "discord": {
      const { discordConnector } = await import("../chatserver/discord/discord.connector.ts");
      return discordConnector(settings, tools);
    }
  }
}

async function openMessenger(
  config: Config,
  { said, knocks, sessions }: DriverStores,
  tools: DriverTools,
): Promise<SocialConnector> {
  const { messenger: settings, sandboxEveryMs } = config.social;
  switch (settings.driver) {
    case "sandbox": {
      const stage = await openStage("messenger", world.messenger, sandboxEveryMs, said);
      return sandboxMessenger(stage, openDoor(knocks));
    }
    case "telegram": {
      const { telegramConnector } = await import("../messenger/telegram/telegram.connector.ts");
      const { masterSecret } = loadCredentials(config, generateKey);
      const session = config.cluster ? inStore(sessions) : inFile(join(config.dataDir, "telegram.session"));
      return telegramConnector({ ...settings, session, masterSecret }, tools);
    }
    case "telegram-preview": {
      const preview = await import("../messenger/telegram-preview/telegram-preview.connector.ts");
      return preview.telegramPreviewConnector(settings, tools);
    }
  }
}

/** How a driver keeps count over restarts, and together with all others. */
function counterOf(network: string, store: Store<StoredReads>): ReadCounter {
  return {
    read: () => store.findById(network),
    change: change =>
      store.transaction(transaction => {
        const counts = transaction.collection<StoredReads>(readsCollection);
        const { month, reads } = change(counts.findById(network));
        counts.upsertById(network, { $set: { month, reads } });
      }, "end of process"),
  };
}
