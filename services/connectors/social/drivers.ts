import type { Config } from "../../../mixins/config/config.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { world } from "../../domain/sandbox/world.ts";
import { sandboxChatserver } from "../chatserver/sandbox.connector.ts";
import { sandboxMessenger } from "../messenger/sandbox.connector.ts";
import { sandboxMicroblog } from "../microblog/sandbox.connector.ts";
import type { SocialKind } from "./kinds.ts";
import { openDoor, openStage, type StoredKnock, type StoredSaid } from "./sandbox/open-sandbox.ts";
import type { DriverTools, SocialConnector } from "./social-connector.ts";

/** What drivers keep. */
export interface DriverStores {
  said: Store<StoredSaid>;
  knocks: Store<StoredKnock>;
}

export type OpenDriver = (
  config: Config,
  stores: DriverStores,
  tools: DriverTools,
) => Promise<SocialConnector>;

/** Opens the driver that a platform is configured with. The client of a network is loaded only when it is chosen. */
export const openDriver: Record<SocialKind, OpenDriver> = {
  async microblog({ social: { microblog: settings, sandboxEveryMs } }, stores, tools) {
    switch (settings.driver) {
      case "sandbox":
        return sandboxMicroblog(await openStage("microblog", world.microblog, sandboxEveryMs, stores.said));
      default:
        throw notThere(settings.driver, tools);
    }
  },
  async chatserver({ social: { chatserver: settings, sandboxEveryMs } }, stores, tools) {
    switch (settings.driver) {
      case "sandbox": {
        const voices = world.chatserver.flatMap(({ channels }) => channels);
        return sandboxChatserver(await openStage("chatserver", voices, sandboxEveryMs, stores.said));
      }
      default:
        throw notThere(settings.driver, tools);
    }
  },
  async messenger({ social: { messenger: settings, sandboxEveryMs } }, stores, tools) {
    switch (settings.driver) {
      case "sandbox": {
        const stage = await openStage("messenger", world.messenger, sandboxEveryMs, stores.said);
        return sandboxMessenger(stage, await openDoor(stores.knocks));
      }
      default:
        throw notThere(settings.driver, tools);
    }
  },
};

function notThere(driver: string, { logger }: DriverTools): Error {
  logger.error("driver.missing", { driver });
  return new Error(`This version has no driver for ${driver}.`);
}
