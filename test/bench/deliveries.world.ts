import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrokerOptions, ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import type { Store } from "../../mixins/store/store.ts";
import {
  type DeliveryOptions,
  defaultDeliveryOptions,
} from "../../services/domain/delivery/delivery-options.ts";
import { newLane, shardOf } from "../../services/domain/delivery/lane.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import type { ThreadLimits } from "../../services/webhook-dispatcher/threads/threaded-lanes.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import type { StoredEndpoint, StoredLane } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { removeFolder } from "../support/folders.ts";

export interface World {
  log: EventLog;
  /** Gives each key its endpoint; deliveries begin with the next event. */
  register(endpoints: [keyId: string, url: string][], manner?: Partial<DeliveryOptions>): Promise<void>;
  /** Appends one event for each source, from the one of that number on, to the logs of all keys; `round` tells them apart. */
  append(keyIds: string[], sources: number, round: string, first?: number): Promise<void>;
  /** Whether threads deliver. */
  hasThread(): boolean;
  context: WebhookContext;
  dataDir: string;
  stop(): Promise<void>;
}

/** The webhook service alone in this process, on a fresh folder. */
export async function openWorld(
  env: Record<string, string> = {},
  options: BrokerOptions = {},
  limits: Partial<ThreadLimits> = {},
): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-deliveries-"));
  const config = {
    ...toConfig({ EGRESS_ALLOW: "127.0.0.1/32", WEBHOOK_ALLOW_HTTP: "true", ...env }),
    dataDir,
  };
  const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true, ...options });
  const service = broker.createService(webhookDispatcherService(config, limits)) as unknown as {
    context: WebhookContext;
  };
  const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] });
  // No key has quotas.
  broker.createService({ name: "keys", actions: { withQuotas: () => ({ ids: [] }) } });
  await broker.start();
  const { log } = writer as unknown as WithLog;
  return {
    log,
    register: (endpoints, manner) => insert(service.context, endpoints, manner),
    append: async (keyIds, sources, round, first = 0) => {
      await log.append(itemEvents(keyIds, sources, round, first));
    },
    hasThread: () => service.context.dispatcher.threads > 0,
    context: service.context,
    dataDir,
    stop: async () => {
      await broker.stop();
      await removeFolder(dataDir);
    },
  };
}

/** One event for each source, from the one of that number on, for all keys; `round` tells them apart. */
export function itemEvents(keyIds: string[], sources: number, round: string, first = 0): NewEvent[] {
  const timestamp = new Date().toISOString();
  return Array.from({ length: sources }, (_, n) => ({
    bodyId: `${round}-${n}`,
    type: "rss.item.created" as const,
    timestamp,
    data: { source: sourceOf(first + n), item: { id: `${round}-${n}`, content_text: text } },
    keyIds,
  }));
}

/** About 1 KB, as an item of a feed has. */
const text = "The quick brown fox jumps over the lazy dog. ".repeat(20);

function sourceOf(n: number) {
  const id = `source-${n % 64}`;
  return { id, source: "RSS", externalId: `https://${id}.example/feed`, username: id, name: id };
}

async function insert(
  { endpoints, lanes, vault }: WebhookContext,
  given: [string, string][],
  manner: Partial<DeliveryOptions> = {},
): Promise<void> {
  const stored = given.map(([keyId, url]) => {
    const identity = { _id: keyId, webhookId: `id-${keyId}` };
    const { sealed } = vault.issue(identity);
    return {
      ...identity,
      url,
      name: null,
      addedAt: 0,
      sealed,
      previousSealed: null,
      previousUntil: 0,
      revision: 0,
      ...defaultDeliveryOptions,
      ...manner,
    };
  });
  await (endpoints as Store<StoredEndpoint>).insertMany(stored);
  const fresh = given.map(([keyId]) => ({ _id: keyId, shard: shardOf(keyId), ...newLane(0) }));
  await (lanes as Store<StoredLane>).insertMany(fresh);
}
