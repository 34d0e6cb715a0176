import type { Config } from "../../../mixins/config/config.ts";
import type { SocialConfig } from "../../../mixins/config/social.ts";
import type { Leases } from "../../../mixins/coordination/leases/lease.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Gauge } from "../../../mixins/runtime/metrics.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { PlatformUpdate } from "../../contracts/events.ts";
import type { Finding } from "../../contracts/health.contract.ts";
import { sessionsCollection } from "../platforms/telegram/stored-session.ts";
import { cooldownsCollection, openCooldowns } from "./cooldown.ts";
import { networkOf } from "./follow.ts";
import { listenUntilStopped, type PostReceiver, pollAllSoon } from "./listen.ts";
import { listenWhileElected } from "./listening-lease.ts";
import { withNetworkIds } from "./network-ids.ts";
import { type Networks, platformKnown, readStrays } from "./networks.ts";
import { type DriverStores, type OpenDriver, type OpenDrivers, openDriver } from "./open-driver.ts";
import type { Platform, StoredFollow } from "./platform.ts";
import { type ReconcileOptions, reconcileTracked } from "./reconcile-tracked.ts";
import { type DriverTools, type SocialConnector, type SocialKind, socialKinds } from "./social-connector.ts";
import { MissedRanges, TrackedSources } from "./tracked-sources.ts";

/** Intervals and drivers; tests set their own. */
export interface SocialOptions {
  /** Milliseconds between two reads of the tracked sources. */
  readEveryMs: number;
  /** Milliseconds between the first attempts of a driver to reconnect. */
  reconnectMs: number;
  drivers: OpenDrivers;
}

export const defaultOptions: SocialOptions = { readEveryMs: 60_000, reconnectMs: 1000, drivers: openDriver };

/** The collections of the social platforms, beside the one of the service. */
export const socialCollections = {
  social_follows: [{ fields: ["network", "_id"] }],
  social_cooldowns: [],
  social_read_counts: [],
  social_sessions: [],
  sandbox_posts: [{ fields: ["kind", "at"] }],
  sandbox_join_requests: [],
};

/** The other services, as the platforms need them. */
export interface SocialPorts extends PostReceiver {
  leases: Pick<Leases, "wait">;
  /** Broadcasts to the other processes of this service. */
  broadcast(update: PlatformUpdate): void;
  /** Any collection of the service. */
  collections: Pick<Store<{ _id: string }>, "collection">;
  trackedAfter(kind: SocialKind, after?: string): ReturnType<ReconcileOptions["trackedAfter"]>;
}

/** The social platforms of this installation. */
export interface Social {
  networks: Record<SocialKind, Networks>;
  /** Begins to listen. */
  listen(): void;
  close(): Promise<void>;
}

/** Opens the drivers of each platform. A driver that cannot be opened does not affect the others. */
export async function openSocial(
  config: Config,
  ports: SocialPorts,
  options: SocialOptions,
): Promise<Social> {
  const closing = new AbortController();
  const open = (kind: SocialKind) => openNetworks(kind, config, ports, options);
  const [microblog, chatserver, messenger] = await Promise.all([
    open("microblog"),
    open("chatserver"),
    open("messenger"),
  ]);
  const networks = { microblog, chatserver, messenger };
  const running: Promise<unknown>[] = [];
  return {
    networks,
    listen() {
      for (const platform of platformsOf({ networks }))
        running.push(listenWhenElected(platform, ports, options, closing.signal));
    },
    async close() {
      closing.abort(new Error("the service is stopping"));
      await Promise.all(running);
      for (const { connector } of platformsOf({ networks })) await connector?.close?.();
    },
  };
}

function platformsOf({ networks }: Pick<Social, "networks">): Platform[] {
  return Object.values(networks).flatMap(({ platforms }) => platforms);
}

async function listenWhenElected(
  platform: Platform,
  ports: SocialPorts,
  options: SocialOptions,
  signal: AbortSignal,
): Promise<void> {
  const { connector } = platform;
  if (!connector) return;
  const listen = (held: AbortSignal) => listenAndReconcile(platform, connector, ports, options, held);
  await listenWhileElected(platform, ports, listen, signal);
}

/** Milliseconds that a network has to connect for the first time. */
const graceMs = 15_000;

/** What `/health/ready` reports about each network of the platforms. */
export function socialFindings({ networks }: Pick<Social, "networks">, now = Date.now()): Finding[] {
  return socialKinds.flatMap(kind =>
    networks[kind].platforms.map((platform, at) => {
      const { driver, connector } = platform;
      const failure = failureOf(platform, now);
      const network =
        driver === "sandbox" ? `sandbox, simulated (${kind.toUpperCase()}_DRIVER names a network)` : driver;
      const detail = failure === null ? network : `${network}: ${failure}`;
      const status = connector === undefined ? "missing" : failure === null ? "ok" : "degraded";
      return { name: at === 0 ? `connector:${kind}` : `connector:${kind}:${driver}`, status, detail };
    }),
  );
}

/** Whether each network works: of the process that listens to it, and 0 where its driver could not be opened. */
export function platformsGauge(social: Pick<Social, "networks">): Gauge {
  const read = () =>
    platformsOf(social).flatMap(platform => {
      const { kind, driver, connector, isListening } = platform;
      const isLive = connector !== undefined && failureOf(platform, Date.now()) === null;
      return isListening || !connector ? [{ labels: { kind, driver }, value: isLive ? 1 : 0 }] : [];
    });
  return {
    name: "magpie_platform_live",
    description: "Whether posts of a platform come in live, or nobody is tracked there",
    read,
  };
}

/** Some drivers do not connect while nobody is tracked. */
function failureOf({ failure, isLive, openedAt, tracked }: Platform, now: number): string | null {
  if (failure !== null || isLive || now - openedAt < graceMs || tracked.all().length === 0) return failure;
  return "There is no live connection yet; posts come in by polling.";
}

async function openNetworks(
  kind: SocialKind,
  config: Config,
  ports: SocialPorts,
  options: SocialOptions,
): Promise<Networks> {
  const follows = ports.collections.collection<StoredFollow>("social_follows");
  const [first, ...others] = config.social[kind].map(settings => {
    const platform: Platform = unopened(kind, settings, follows, ports);
    platform.isOwn = externalId => platformKnown(networks, externalId) === platform;
    return { platform, settings };
  }) as [Unopened, ...Unopened[]];
  const networks: Networks = {
    kind,
    platforms: [first.platform, ...others.map(({ platform }) => platform)],
    follows,
    strays: new Map(),
  };
  await readStrays(networks);
  const open = options.drivers[kind] as OpenDriver;
  await Promise.all(
    [first, ...others].map(each => openPlatform(each, networks, config, open, ports, options)),
  );
  return networks;
}

interface Unopened {
  platform: Platform;
  settings: SocialConfig[SocialKind][number];
}

function unopened(
  kind: SocialKind,
  settings: Unopened["settings"],
  follows: Store<StoredFollow>,
  { broadcast }: SocialPorts,
): Platform {
  const network = networkOf(settings);
  return {
    kind,
    driver: settings.driver,
    connector: undefined,
    network,
    isOwn: () => true,
    tracked: new TrackedSources(Date.now),
    missedRanges: new MissedRanges(Date.now),
    follows,
    openedAt: Date.now(),
    isLive: false,
    failure: null,
    isListening: false,
    listener: undefined,
    broadcast: message => broadcast({ kind, network, ...message }),
  };
}

async function openPlatform(
  { platform, settings }: Unopened,
  networks: Networks,
  config: Config,
  open: OpenDriver,
  { collections, logger }: SocialPorts,
  { reconnectMs }: SocialOptions,
): Promise<void> {
  const cooldowns = openCooldowns(collections.collection(cooldownsCollection));
  const tools: DriverTools = { now: Date.now, random: Math.random, logger, cooldowns, reconnectMs };
  const stores: DriverStores = {
    reads: collections.collection("social_read_counts"),
    sandboxPosts: collections.collection("sandbox_posts"),
    sessions: collections.collection(sessionsCollection),
    joinRequests: collections.collection("sandbox_join_requests"),
  };
  const { kind, driver } = platform;
  try {
    platform.connector = withNetworkIds(await open(config, stores, tools, settings), networks, platform);
  } catch (error) {
    logEvent(logger, "driver_open.failed", { kind, driver, error: String(error) });
    platform.failure = "The driver could not be opened; the log says why.";
  }
}

/** Listens once the tracked sources are known: before, no source would seem to be tracked. */
async function listenAndReconcile(
  platform: Platform,
  connector: SocialConnector,
  ports: SocialPorts,
  { readEveryMs: everyMs }: SocialOptions,
  signal: AbortSignal,
): Promise<void> {
  const { kind } = platform;
  const known = Promise.withResolvers<void>();
  const trackedAfter: ReconcileOptions["trackedAfter"] = after => ports.trackedAfter(kind, after);
  const onFound = (ids: string[]) => void pollAllSoon(kind, ids, ports, signal);
  const reconcileOptions = { trackedAfter, onFound, everyMs, logger: ports.logger, now: Date.now };
  const kept = reconcileTracked(platform, reconcileOptions, signal, known.resolve).finally(known.resolve);
  await known.promise;
  await Promise.all([kept, listenUntilStopped(platform, connector, ports, signal)]);
}
