import type { ServiceBroker } from "moleculer";
import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { Config } from "../../../mixins/config/config.ts";
import type { WithEgress } from "../../../mixins/egress/egress.mixin.ts";
import { programAgent } from "../../../mixins/egress/identity.ts";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import type { WithStore } from "../../../mixins/store/store.mixin.ts";
import { feedsChanged } from "../../contracts/events.ts";
import type { WebhookContext } from "../context.ts";
import { send } from "../sending/send.ts";
import { claimsCollection, type StoredEndpoint } from "../webhooks.store.ts";
import { feedsCollection, openFeedVault, type StoredFeed } from "./feeds.store.ts";
import type { FeedContext } from "./feeds.ts";
import { HubPings } from "./hub-pings.ts";

/** The feeds while the service runs. */
export interface Feeds {
  context: FeedContext;
  /** Another node has made or removed feeds. */
  changedElsewhere(): void;
  close(): Promise<void>;
}

interface FeedPorts extends WithStore<StoredEndpoint> {
  broker: ServiceBroker;
  tagged: TaggedSources;
  log: EventLog;
  egress: WithEgress["egress"];
  logger: { warn(...line: unknown[]): void };
  /** Says which node does the work for a key. */
  context: Pick<WebhookContext, "dispatcher">;
}

/** Opens the feeds. Where there is a hub, it gets a ping when a feed has news. */
export function openFeeds(
  { broker, tagged, store, log, egress, logger, context: { dispatcher } }: FeedPorts,
  masterSecret: string,
  hub: Config["feeds"]["hub"],
): Feeds {
  const feeds = store.collection<StoredFeed>(feedsCollection);
  const vault = openFeedVault(masterSecret);
  const agent = egress.agent();
  const pings =
    hub &&
    new HubPings({
      feeds,
      vault,
      log,
      tagged,
      hub: hub.url,
      publicUrl: hub.publicUrl,
      logger,
      works: keyId => dispatcher.works(keyId),
      post: (url, body) => send(agent, { url, headers: formHeaders, body }),
    });
  const unsubscribe = pings && log.onAppended(keyIds => pings.appended(keyIds));
  const changed = () => {
    pings?.changed();
    void broker.broadcast(feedsChanged.name, {});
  };
  return {
    context: {
      feeds,
      claims: store.collection(claimsCollection),
      vault,
      log,
      tagged,
      hub: hub?.url,
      changed,
    },
    changedElsewhere: () => pings?.changed(),
    close: async () => {
      unsubscribe?.();
      await pings?.close();
    },
  };
}

const formHeaders = {
  "content-type": "application/x-www-form-urlencoded",
  "user-agent": programAgent,
};
