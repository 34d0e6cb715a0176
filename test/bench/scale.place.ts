import { setTimeout as delay } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { readEnv } from "../../mixins/config/env.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog } from "../../mixins/event-log/event-log.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { addresses, type Servers } from "../dev/servers.ts";
import type { ServiceNode } from "../dev/service-node.ts";
import { type Cluster, startCluster } from "../dev/start-cluster.ts";
import { startHelper } from "./child.ts";
import type { Addresses, Counts } from "./deliveries.sink.process.ts";
import { itemEvents } from "./deliveries.world.ts";
import type { FeedsMode, Readings } from "./feeds.process.ts";
import { benchPages } from "./pages.ts";
import { type Visitor, visit } from "./visitor.ts";

/** Keys that have an endpoint at the sink. */
const keyCount = 20;
const timeoutMs = 120_000;

/** A cluster, and around it pages to scrape, feeds to poll, and a receiver of deliveries. */
export interface Place {
  cluster: Cluster;
  visitor: Visitor;
  /** Of pages that need no browser. */
  pages: string[];
  /** Of the keys with an endpoint. */
  keyIds: string[];
  log: EventLog;
  /** Appends one event for each of so many sources to the log of each key; resolves when all are delivered. */
  deliver(sources: number): Promise<number>;
  /** Has one key track so many feeds, if it does not yet. */
  trackFeeds(count: number): Promise<void>;
  /** How often the feeds were read since the last question; from now on they are as told. */
  readings(mode: FeedsMode): Promise<number>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  nodes?: Record<string, number>;
  servers?: Servers;
}

const env = {
  EGRESS_ALLOW: "127.0.0.1/32",
  WEBHOOK_ALLOW_HTTP: "true",
  POLL_MIN_INTERVAL: "2s",
  LOG_FORMAT: "json",
  LOG_LEVEL: "warn",
};

export async function openPlace(options: PlaceOptions): Promise<Place> {
  const site = await startHelper<never, string>("site.process.ts");
  const sink = await startHelper<object, Counts, Addresses>("deliveries.sink.process.ts", ["1"]);
  const feeds = await startHelper<{ mode: FeedsMode }, Readings, string>("feeds.process.ts");
  const cluster = await startCluster({ env, print: tellErrors, ...options });
  const writer = await openLog(cluster.servers);
  const gateways = cluster.nodes.flatMap(({ address }) => address ?? []);
  const owners = await Promise.all(
    Array.from({ length: keyCount }, (_, n) => visit(gateways, cluster.adminKey, `owner-${n}`)),
  );
  const [visitor] = owners;
  if (visitor === undefined) throw new Error("there is nobody to visit");
  const keyIds = await Promise.all(owners.map(owner => endpointAt(`${sink.first[0]}/taken`, owner)));
  let [round, tracked] = [0, 0];
  return {
    cluster,
    visitor,
    pages: benchPages("none").map(({ path }) => site.first + path),
    keyIds,
    log: writer.log,
    deliver: async sources => {
      round += 1;
      await sink.ask({});
      await writer.log.append(itemEvents(keyIds, sources, `round-${round}`));
      return await arrived(sink, keyIds.length * sources);
    },
    trackFeeds: async count => {
      for (; tracked < count; tracked += 1)
        await visitor.ask("POST", "/track/rss", { sid: `${feeds.first}/f/${tracked}` });
    },
    readings: async mode => (await feeds.ask({ mode })).count,
    close: async () => {
      await Promise.all(owners.map(owner => owner.leave()));
      await writer.close();
      await cluster.stop();
      await Promise.all([site.stop(), sink.stop(), feeds.stop()]);
    },
  };
}

function tellErrors({ service }: ServiceNode, line: string): void {
  if (line.includes('"level":"error"')) console.error(`${service}: ${line}`);
}

/** Tells the key's id. */
async function endpointAt(url: string, { ask }: Visitor): Promise<string> {
  await ask("POST", "/webhook", { url });
  const { data } = (await ask("GET", "/users/me/api-keys")) as { data: { apiKeys: { id: string }[] } };
  return data.apiKeys[0]?.id ?? "";
}

/** A node without services that writes the log, and whose hints reach the others. */
async function openLog(servers: Servers): Promise<{ log: EventLog; close(): Promise<void> }> {
  const config = toConfig({ ...readEnv({}), ...addresses(servers) });
  const broker = new ServiceBroker({
    ...brokerOptions(config),
    logger: false,
    metrics: false,
    skipProcessEventRegistration: true,
  });
  const service = broker.createService({ name: "writer", mixins: [logMixin(config)] });
  await broker.start();
  return { log: (service as unknown as WithLog).log, close: () => broker.stop() };
}

async function arrived(sink: { ask(question: object): Promise<Counts> }, wanted: number): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < wanted; count += (await sink.ask({})).count) {
    if (performance.now() - began > timeoutMs) throw new Error(`${count} of ${wanted} were delivered`);
    await delay(50);
  }
  return wanted;
}
