import type { Config } from "../../../mixins/config/config.ts";
import type { Leases } from "../../../mixins/lease/lease.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { PlatformTold } from "../../contracts/events.ts";
import type { Finding } from "../../contracts/health.contract.ts";
import { sessionsCollection } from "../messenger/telegram/session-places.ts";
import { type DriverStores, type OpenDriver, openDriver } from "./drivers.ts";
import { foreignSources, networkOf } from "./foreign.ts";
import { Gaps } from "./gaps.ts";
import { hear, type Keeper, pollAllSoon } from "./hear.ts";
import { keepTracked, type Readings } from "./keep-tracked.ts";
import { type SocialKind, socialKinds } from "./kinds.ts";
import { openPauses, pausesCollection } from "./pauses.ts";
import type { Platform, StoredFollow } from "./platform.ts";
import type { DriverTools, SocialConnector } from "./social-connector.ts";
import { takeTurns } from "./take-turns.ts";
import { TrackedSources } from "./tracked-sources.ts";

/** How fast things go, and on what; tests have their own. */
export interface SocialOptions {
  /** Milliseconds between readings of what is tracked. */
  readEveryMs: number;
  /** Milliseconds between the first attempts of a driver to connect again. */
  reconnectMs: number;
  drivers: Record<SocialKind, OpenDriver>;
}

export const usualOptions: SocialOptions = { readEveryMs: 60_000, reconnectMs: 1000, drivers: openDriver };

/** The stores of the social platforms, beside those of the room. */
export const socialCollections = {
  social_follows: [{ fields: ["network"] }],
  social_pauses: [],
  social_reads: [],
  social_sessions: [],
  sandbox_said: [{ fields: ["kind", "at"] }],
  sandbox_knocks: [],
};

/** The rest of the house, as the platforms need it. */
export interface Outside extends Keeper {
  leases: Pick<Leases, "wait">;
  /** Tells the other processes of this room. */
  tell(told: PlatformTold): void;
  /** Any collection of the room. */
  collections: Pick<Store<{ _id: string }>, "collection">;
  trackedAfter(kind: SocialKind, after?: string): ReturnType<Readings["trackedAfter"]>;
}

/** The social platforms of this installation. */
export interface Social {
  platforms: Record<SocialKind, Platform>;
  /** Begins to listen. */
  hear(): void;
  close(): Promise<void>;
}

/** Opens the driver of each platform; one that cannot be opened leaves the others alone. */
export async function openSocial(config: Config, outside: Outside, options: SocialOptions): Promise<Social> {
  const closing = new AbortController();
  const open = (kind: SocialKind) => openPlatform(kind, config, outside, options);
  const [microblog, chatserver, messenger] = await Promise.all([
    open("microblog"),
    open("chatserver"),
    open("messenger"),
  ]);
  const platforms = { microblog, chatserver, messenger };
  const heard: Promise<unknown>[] = [];
  return {
    platforms,
    hear() {
      for (const kind of socialKinds) heard.push(hearFor(platforms[kind], outside, options, closing.signal));
    },
    async close() {
      closing.abort(new Error("the room stops"));
      await Promise.all(heard);
      for (const { connector } of Object.values(platforms)) await connector?.close?.();
    },
  };
}

async function hearFor(
  platform: Platform,
  outside: Outside,
  options: SocialOptions,
  signal: AbortSignal,
): Promise<void> {
  const { connector } = platform;
  if (!connector) return;
  const inTurn = (held: AbortSignal) => listen(platform, connector, outside, options, held);
  await takeTurns(platform, outside, inTurn, signal);
}

/** Milliseconds that a network has to connect for the first time. */
const graceMs = 15_000;

/** What `/health/ready` tells of the platforms. */
export function findings({ platforms }: Pick<Social, "platforms">, now = Date.now()): Finding[] {
  return socialKinds.map(kind => {
    const { driver, connector } = platforms[kind];
    const trouble = troubleOf(platforms[kind], now);
    const network =
      driver === "sandbox" ? `sandbox, simulated (${kind.toUpperCase()}_DRIVER names a network)` : driver;
    const detail = trouble === null ? network : `${network}: ${trouble}`;
    const status = connector === undefined ? "missing" : trouble === null ? "ok" : "degraded";
    return { name: `connector:${kind}`, status, detail };
  });
}

/** Some networks are not listened to while nobody is tracked. */
function troubleOf({ trouble, isLive, openedAt, tracked }: Platform, now: number): string | null {
  if (trouble !== null || isLive || now - openedAt < graceMs || tracked.all().length === 0) return trouble;
  return "There is no live connection yet; posts come in by polls.";
}

async function openPlatform(
  kind: SocialKind,
  config: Config,
  { collections, logger, tell }: Outside,
  { drivers, reconnectMs }: SocialOptions,
): Promise<Platform> {
  const pauses = openPauses(collections.collection(pausesCollection));
  const tools: DriverTools = { now: Date.now, random: Math.random, logger, pauses, reconnectMs };
  const stores: DriverStores = {
    reads: collections.collection("social_reads"),
    said: collections.collection("sandbox_said"),
    sessions: collections.collection(sessionsCollection),
    knocks: collections.collection("sandbox_knocks"),
  };
  const follows = collections.collection<StoredFollow>("social_follows");
  const network = networkOf(config.social[kind]);
  const platform: Platform = {
    kind,
    driver: config.social[kind].driver,
    connector: undefined,
    network,
    foreign: await foreignSources(kind, network, follows),
    tracked: new TrackedSources(tools.now),
    gaps: new Gaps(tools.now),
    follows,
    openedAt: tools.now(),
    isLive: false,
    trouble: null,
    isListening: false,
    listener: undefined,
    tell: told => tell({ kind, ...told }),
  };
  try {
    return { ...platform, connector: await drivers[kind](config, stores, tools) };
  } catch (error) {
    logger.error("driver.broken", { kind, driver: platform.driver, error: String(error) });
    return { ...platform, trouble: "The driver could not be opened; the log tells why." };
  }
}

/** Reads what is tracked, and listens once that is known: before, everything would seem to be tracked by nobody. */
async function listen(
  platform: Platform,
  connector: SocialConnector,
  outside: Outside,
  { readEveryMs: everyMs }: SocialOptions,
  signal: AbortSignal,
): Promise<void> {
  const { kind } = platform;
  const known = Promise.withResolvers<void>();
  const trackedAfter: Readings["trackedAfter"] = after => outside.trackedAfter(kind, after);
  const onFound = (ids: string[]) => void pollAllSoon(kind, ids, outside, signal);
  const readings = { trackedAfter, onFound, everyMs, logger: outside.logger, now: Date.now };
  const kept = keepTracked(platform, readings, signal, known.resolve).finally(known.resolve);
  await known.promise;
  await Promise.all([kept, hear(platform, connector, outside, signal)]);
}
