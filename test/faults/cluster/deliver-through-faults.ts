import { setTimeout as delay } from "node:timers/promises";
import type { SetDetail } from "../../../mixins/runtime/show-progress.ts";
import { type Feeds, startFeeds } from "../deliveries/feeds.ts";
import { ManyEndpoints } from "../deliveries/many-endpoints.ts";
import { Oracle, type Verdict } from "../deliveries/oracle.ts";
import { Pasts } from "../deliveries/pasts.ts";
import { mannerOf, promisedTo } from "../deliveries/plan-receivers.ts";
import type { Reader } from "../deliveries/reader.ts";
import { readerOf } from "../deliveries/reader-of.ts";
import { type Receivers, startReceivers } from "../deliveries/receivers.ts";
import { SiteEdits } from "../deliveries/site-edits.ts";
import { type Random, seeded } from "../random.ts";
import { type FaultCluster, startFaultCluster } from "./fault-cluster.ts";
import { Faults } from "./faults.ts";
import { Gateways } from "./gateways.ts";
import { noteWork, overlaps, type Work } from "./lane-work.ts";
import type { Fault } from "./plan-faults.ts";

const feedCount = 20;
/** The events of the first keys are read, too: over streams, and those of the last one by `GET /events`. */
const readKeys = 4;
const settleMs = 900_000;
/** So long without an arrival, what is due may have been set aside. */
const quietMs = 5000;
/** A lane repeats two windows at the most. */
const repeatable = 128;

export interface Run {
  seed: number;
  keys: number;
  /** What is done to the cluster, one after the other. */
  faults: Iterable<Fault>;
  /** Between two of them, on average. */
  gapMs: number;
  /** A file for what the nodes print. */
  log?: string | undefined;
  /** A checkout of the release that the nodes run until they are started again. */
  from?: string | undefined;
}

export interface Outcome extends Verdict {
  faults: number;
  /** Requests that clients had to repeat. */
  repeats: number;
  /** From the end of the last fault until all had arrived. */
  settledMs: number;
  answers: Receivers["answers"];
  streams: { events: number; connections: number }[];
  /** What was told of pages and items that change, in figures. */
  history: string;
  /** What was told of a site, in figures. */
  site: string;
}

interface Client {
  value: string;
  feeds: Set<number>;
  /** Of its endpoint, as it was last told to the service. */
  url: string;
}

interface World {
  gateways: Gateways;
  faults: Faults;
  feeds: Feeds;
  receivers: Receivers;
  oracle: Oracle;
  clients: Client[];
  readers: Reader[];
  /** Undefined until it is registered. */
  many?: ManyEndpoints;
  /** Likewise. */
  pasts?: Pasts;
  site?: SiteEdits;
  works: Work[];
  random: Random;
}

/** Posts items into feeds that keys track, while a cluster suffers faults. */
export async function deliverThroughFaults(run: Run, note: SetDetail): Promise<Outcome> {
  const { seed, keys, log, from } = run;
  const cluster = await startFaultCluster({}, log, from);
  const [random, works] = [seeded(seed), [] as Work[]];
  const [faults, feeds] = [new Faults(cluster, seeded(seed + 1)), await startFeeds(feedCount)];
  const onRequest = noteWork.bind(null, works);
  const receivers = await startReceivers(seeded(seed + 2), () => faults.moment, onRequest);
  const gateways = new Gateways(cluster);
  const oracle = new Oracle(repeatable);
  const world: World = {
    gateways,
    faults,
    feeds,
    receivers,
    oracle,
    clients: [],
    readers: [],
    works,
    random,
  };
  try {
    await setUp(world, keys);
    await suffer(world, run);
    const began = performance.now();
    await settle(world, note);
    const settledMs = performance.now() - began;
    return { ...(await outcome(world, cluster)), settledMs };
  } finally {
    for (const reader of world.readers) reader.close();
    await cluster.stop();
    await world.pasts?.close();
    await world.site?.close();
    await Promise.all([feeds.close(), receivers.close()]);
  }
}

/** Each key registers an endpoint and tracks a quarter of the feeds. */
async function setUp(world: World, keys: number): Promise<void> {
  const chosen = Array.from({ length: keys }, () => quarter(world.random));
  for (const feeds of chosen) world.clients.push(await client(world, world.clients.length, feeds));
  const { clients, gateways, feeds, receivers, random } = world;
  const ask = (key: string | null, method: string, path: string, body?: object) =>
    key === null ? gateways.admin(method, path, body) : gateways.as(key, method, path, body);
  world.many = await ManyEndpoints.register(ask, feeds, receivers, random);
  world.pasts = await Pasts.begin(ask, () => gateways.address, seeded(random() * 2 ** 32));
  world.site = await SiteEdits.begin(ask, () => gateways.address, seeded(random() * 2 ** 32));
  world.readers = clients
    .slice(0, readKeys)
    .map(({ value }, key) => readerOf(key, value, () => gateways.address));
}

function quarter(random: Random): Set<number> {
  const feeds = new Set<number>();
  while (feeds.size < feedCount / 4) feeds.add(Math.floor(random() * feedCount));
  return feeds;
}

async function client(world: World, key: number, mine: Set<number>): Promise<Client> {
  const { gateways, receivers, feeds } = world;
  const limits = { requestsPerMinute: 1_000_000 };
  const made = await gateways.admin("POST", "/internal/keys", { owner: `owner-${key}`, name: "n", limits });
  const value = (made as { data: { key: string } }).data.key;
  const url = receivers.url(key);
  const hook = await gateways.as(value, "POST", "/webhook", { url, ...mannerOf(key) });
  receivers.expectSecret(key, (hook as { data: { secret: string } }).data.secret);
  for (const feed of mine) await gateways.as(value, "POST", "/track/rss", { sid: feeds.url(feed) });
  return { value, feeds: mine, url };
}

/** Items are posted and clients change their minds while the plan is carried out. */
async function suffer(world: World, { faults: plan, gapMs }: Run): Promise<void> {
  const stop = new AbortController();
  const others = [post(world, stop.signal), trackMore(world, stop.signal), moveEndpoints(world, stop.signal)];
  const ended = Promise.all(others);
  await world.faults.makeAll(plan, gapMs, ended).finally(() => stop.abort());
  await ended;
}

async function post(world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    postInto(world, Math.floor(world.random() * feedCount));
    await delay(50 + world.random() * 200);
  }
}

function postInto({ feeds, clients, oracle, many }: World, feed: number): void {
  const item = feeds.post(feed);
  for (const [key, client] of clients.entries()) if (client.feeds.has(feed)) oracle.expect(key, item);
  many?.expect(oracle, item);
}

/** What a key asks for meanwhile is due from the answer on. */
async function trackMore({ gateways, feeds, clients, oracle, random }: World, signal: AbortSignal) {
  while (!signal.aborted) {
    const [key, feed] = [Math.floor(random() * clients.length), Math.floor(random() * feedCount)];
    const client = clients[key];
    if (client && !client.feeds.has(feed)) {
      oracle.permit(key, { feed, number: 3 });
      await gateways.as(client.value, "POST", "/track/rss", { sid: feeds.url(feed) });
      client.feeds.add(feed);
    }
    await delay(500 + random() * 2000);
  }
}

async function moveEndpoints({ gateways, receivers, clients, random }: World, signal: AbortSignal) {
  for (let move = 1; !signal.aborted; move += 1) {
    const key = Math.floor(random() * clients.length);
    const client = clients[key];
    if (client) {
      client.url = `${receivers.url(key)}/${move}`;
      await gateways.as(client.value, "PATCH", "/webhook", { url: client.url });
    }
    await delay(500 + random() * 2000);
  }
}

/** Endpoints recover, those that had failed are started again, and all that is due arrives; so does one last item of each feed. */
async function settle(world: World, note: SetDetail): Promise<void> {
  const { receivers, gateways, oracle, clients, readers, many } = world;
  receivers.heal();
  for (let feed = 0; feed < feedCount; feed += 1) postInto(world, feed);
  const deadline = Date.now() + settleMs;
  for (let round = 0; Date.now() < deadline; round += 1) {
    const late = oracle.missing(receivers.arrivals);
    if (late.length === 0) break;
    const keys = new Set(late.map(({ key }) => key));
    note(`${late.length} deliveries to ${keys.size} endpoints are still due`);
    // An answer that was under way when they recovered may have been the fifth failure.
    if (round % 10 === 0) for (const { value } of clients) await gateways.as(value, "PATCH", "/webhook", {});
    if (round % 10 === 0) await many?.startAgain();
    // Some may have been set aside, where no more come.
    if (!(await grows(receivers.arrivals))) await noteSetAside(world, key => keys.has(key));
  }
  await noteSetAside(world, () => true);
  await world.pasts?.settle(deadline);
  await world.site?.settle(deadline);
  const isBehind = ({ items }: Reader, key: number) =>
    items.filter(id => oracle.isDue(key, id)).length < oracle.due(key);
  while (Date.now() < deadline && readers.some(isBehind)) await delay(100);
}

async function grows(arrivals: readonly unknown[]): Promise<boolean> {
  const before = arrivals.length;
  await delay(quietMs);
  return arrivals.length > before;
}

/** Tells the oracle what is listed as set aside, of the endpoints that are asked about. */
async function noteSetAside(
  { gateways, oracle, clients, many }: World,
  isAsked: (key: number) => boolean,
): Promise<void> {
  await many?.noteSetAside(oracle, isAsked);
  for (const [key, { value }] of clients.entries()) {
    if (!isAsked(key)) continue;
    const list = await gateways.as(value, "GET", "/webhook/deliveries?status=dead&limit=100");
    for (const { event_id } of (list as { data: { event_id: string }[] }).data)
      oracle.setAside(key, event_id);
  }
}

async function outcome(world: World, { deaths }: FaultCluster): Promise<Omit<Outcome, "settledMs">> {
  const { receivers, readers, oracle, gateways, faults, works } = world;
  const isDue = (key: number) => (id: string) => oracle.isDue(key, id);
  const verdict = oracle.judge(receivers.arrivals, promisedTo);
  const wrong = [
    ...verdict.wrong,
    ...receivers.faults,
    ...readers.flatMap((each, key) => each.judge(`reader of key ${key}`, oracle.due(key), isDue(key))),
    ...overlaps(works, node => faults.stoppedAt(node)),
    ...(await forgotten(world)),
    ...((await world.many?.untested()) ?? []),
    ...((await world.pasts?.judge()) ?? []),
    ...(world.site?.judge() ?? []),
    ...gateways.wrong,
    ...deaths,
  ];
  return {
    ...verdict,
    wrong,
    history: world.pasts?.figures ?? "none",
    site: world.site?.figures ?? "none",
    faults: faults.done.length,
    repeats: gateways.repeats,
    answers: receivers.answers,
    streams: readers.map(({ items, connections }) => ({ events: items.length, connections })),
  };
}

/** Endpoints that are not where they were moved to. */
async function forgotten({ gateways, clients }: World): Promise<string[]> {
  const wrong: string[] = [];
  for (const [key, { value, url }] of clients.entries()) {
    const { data } = (await gateways.as(value, "GET", "/webhook")) as { data: string | null };
    if (data !== url) wrong.push(`the endpoint of key ${key} is ${data} and was moved to ${url}`);
  }
  return wrong;
}
