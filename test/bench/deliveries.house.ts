import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/log/log.mixin.ts";
import type { EventLog, NewEvent } from "../../mixins/log/log.ts";
import type { Store } from "../../mixins/store/store.ts";
import { newLane } from "../../services/domain/delivery/lane.ts";
import { shardOf } from "../../services/domain/delivery/shard.ts";
import type { StoredEndpoint, StoredLane, WebhookRoom } from "../../services/webhook-dispatcher/room.ts";
import { webhookService } from "../../services/webhook-dispatcher/webhook.service.ts";

export interface House {
  log: EventLog;
  /** Gives each key its endpoint; deliveries begin with the next event. */
  register(endpoints: [keyId: string, url: string][]): Promise<void>;
  /** Appends one event for each source, from the one of that number on, to the logs of all keys; `round` tells them apart. */
  append(keyIds: string[], sources: number, round: string, first?: number): Promise<void>;
  stop(): Promise<void>;
}

/** The webhook room alone in this process, on a fresh folder. */
export async function openHouse(env: Record<string, string> = {}): Promise<House> {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-deliveries-"));
  const config = {
    ...toConfig({ EGRESS_ALLOW: "127.0.0.1/32", WEBHOOK_ALLOW_HTTP: "true", ...env }),
    dataDir,
  };
  const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
  const room = broker.createService(webhookService(config)) as unknown as { room: WebhookRoom };
  const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] });
  await broker.start();
  const { log } = writer as unknown as WithLog;
  return {
    log,
    register: endpoints => insert(room.room, endpoints),
    append: async (keyIds, sources, round, first = 0) => {
      await log.append(itemEvents(keyIds, sources, round, first));
    },
    stop: async () => {
      await broker.stop();
      rmSync(dataDir, { recursive: true });
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

async function insert({ endpoints, lanes, vault }: WebhookRoom, given: [string, string][]): Promise<void> {
  const stored = given.map(([keyId, url]) => {
    const identity = { _id: keyId, webhookId: `id-${keyId}` };
    const { sealed } = vault.issue(identity);
    return { ...identity, url, name: null, sealed, previousSealed: null, previousUntil: 0, revision: 0 };
  });
  await (endpoints as Store<StoredEndpoint>).insertMany(stored);
  const fresh = given.map(([keyId]) => ({ _id: keyId, shard: shardOf(keyId), ...newLane(0) }));
  await (lanes as Store<StoredLane>).insertMany(fresh);
}
