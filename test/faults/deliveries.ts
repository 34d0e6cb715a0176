/**
 * Posts items into feeds that keys track, one of them with twenty endpoints of different filters, while the service is killed with SIGKILL at seeded random moments and its
 * receivers answer 200, 500, 429, hang, reset or suffer outages, in each mode of delivery; then holds what arrived
 * against what was due. Exits with 1 when anything is missing, in another order than its mode promises, or came again
 * without a reason, or when an endpoint was FAILED that must not be. In two of three starts threads deliver. Pages and items change meanwhile: each change must be
 * told, and the version that its event names must say it. The pages of a site change, come, go and move: each of these must
 * be told once, and nothing else.
 *
 *     node test/faults/deliveries.ts --seeds 1,2 --kills 20
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../support/folders.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { type Feeds, startFeeds } from "./deliveries/feeds.ts";
import { ManyEndpoints } from "./deliveries/many-endpoints.ts";
import { Oracle, type Verdict } from "./deliveries/oracle.ts";
import { Pasts } from "./deliveries/pasts.ts";
import { kindOf, mannerOf, promisedTo } from "./deliveries/plan-receivers.ts";
import type { Reader } from "./deliveries/reader.ts";
import { readerOf } from "./deliveries/reader-of.ts";
import { type Receivers, startReceivers } from "./deliveries/receivers.ts";
import { ServiceProcess } from "./deliveries/service-process.ts";
import { SiteEdits } from "./deliveries/site-edits.ts";
import { kills, seeds } from "./options.ts";
import { type Random, seeded } from "./random.ts";

const feedCount = 20;
const keyCount = 30;
/** The events of these keys are read, too: over streams, and those of the last one by `GET /events`. */
const readKeys = [0, 1, 2, 3];
const settleMs = 300_000;
const grownMs = 15_000;

/** In turn: as the load asks for threads, threads from the start, and threads that often come and go. */
const threadsOf = ["", "?many=0", "?many=20&idleMs=5000"];

function inThreads(epoch: number): NodeJS.ProcessEnv {
  const limits = threadsOf[epoch % threadsOf.length];
  return limits
    ? { NODE_OPTIONS: `--import=${new URL("deliveries/in-threads.ts", import.meta.url)}${limits}` }
    : {};
}

interface Client {
  value: string;
  feeds: Set<number>;
}

interface World {
  service: ServiceProcess;
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
  random: Random;
}

for (const seed of seeds)
  if (!(await showProgress(`Deliveries, seed ${seed}`, () => run(seed, kills)))) process.exitCode = 1;

async function run(seed: number, kills: number): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-deliveries-"));
  const random = seeded(seed);
  const [service, oracle, feeds] = [
    new ServiceProcess(dataDir, withoutBrowser, inThreads),
    new Oracle(),
    await startFeeds(feedCount),
  ];
  const receivers = await startReceivers(seeded(seed + 1), () => ({ epoch: service.epoch }));
  // What the dead process has sent and nobody has read yet is no delivery of the next one.
  service.afterDeath = () => receivers.haveReadAll();
  const world: World = { service, feeds, receivers, oracle, clients: [], readers: [], random };
  try {
    await service.start();
    await setUp(world);
    await killWhilePosting(world, kills);
    const failed = [...(await wronglyFailed(world)), ...((await world.many?.untested()) ?? [])];
    await settle(world);
    const verdict = oracle.judge(receivers.arrivals, promisedTo);
    const forgotten = [...((await world.pasts?.judge()) ?? []), ...(world.site?.judge() ?? [])];
    return report(seed, kills, world, { ...verdict, wrong: [...failed, ...forgotten, ...verdict.wrong] });
  } finally {
    for (const reader of world.readers) reader.close();
    await service.close();
    await world.pasts?.close();
    await world.site?.close();
    await Promise.all([feeds.close(), receivers.close()]);
    await removeFolder(dataDir);
  }
}

/** Each key registers an endpoint and tracks a quarter of the feeds. */
async function setUp(world: World): Promise<void> {
  const { service, feeds, receivers, random } = world;
  const limits = { requestsPerMinute: 1_000_000 };
  for (let key = 0; key < keyCount; key += 1) {
    const made = await service.admin("POST", "/internal/keys", { owner: `owner-${key}`, name: "n", limits });
    const value = (made as { data: { key: string } }).data.key;
    const hook = await service.as(value, "POST", "/webhook", {
      url: receivers.url(key),
      ...mannerOf(key),
    });
    receivers.expectSecret(key, (hook as { data: { secret: string } }).data.secret);
    const mine = new Set<number>();
    while (mine.size < feedCount / 4) mine.add(Math.floor(random() * feedCount));
    for (const feed of mine) await service.as(value, "POST", "/track/rss", { sid: feeds.url(feed) });
    world.clients.push({ value, feeds: mine });
  }
  const ask = (key: string | null, method: string, path: string, body?: object) =>
    key === null ? service.admin(method, path, body) : service.as(key, method, path, body);
  world.many = await ManyEndpoints.register(ask, feeds, receivers, random);
  world.pasts = await Pasts.begin(ask, () => service.address, seeded(random() * 2 ** 32));
  world.site = await SiteEdits.begin(ask, () => service.address, seeded(random() * 2 ** 32));
  world.readers = readKeys.map(key => readerOf(key, world.clients[key]?.value ?? "", () => service.address));
}

async function killWhilePosting(world: World, kills: number): Promise<void> {
  const { service, receivers, random } = world;
  const stop = new AbortController();
  const posting = post(world, stop.signal);
  for (let n = 0; n < kills; n += 1) {
    // Every second one comes while deliveries are under way, however slow the machine.
    if (n % 2 === 0) await grown(receivers.arrivals, keyCount);
    await delay(n % 2 === 0 ? random() * 500 : 300 + random() * 2500);
    await service.kill();
    if (random() < 0.2) await service.startAndKill(random() * 1000);
    await service.start();
  }
  for (let rounds = 0; rounds < 5; rounds += 1) await grown(receivers.arrivals, 10 * keyCount);
  stop.abort();
  await posting;
}

/** Resolves when so many more have arrived; in time, since endpoints that fail get few. */
async function grown(arrivals: readonly unknown[], by: number): Promise<void> {
  const wanted = arrivals.length + by;
  for (const until = Date.now() + grownMs; arrivals.length < wanted && Date.now() < until; ) await delay(20);
}

/** One item at a time, and now and then several of one feed, whose order counts. */
async function post({ feeds, clients, oracle, many, random }: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const feed = Math.floor(random() * feedCount);
    for (let items = random() < 0.1 ? 6 : 1; items > 0; items -= 1) {
      const item = feeds.post(feed);
      for (const [key, client] of clients.entries()) if (client.feeds.has(feed)) oracle.expect(key, item);
      many?.expect(oracle, item);
    }
    await delay(20 + random() * 100);
  }
}

/** Sentences on endpoints that are FAILED and were promised that they would not be. */
async function wronglyFailed({ service, clients, many }: World): Promise<string[]> {
  const wrong = (await many?.wronglyFailed()) ?? [];
  for (const [key, { value }] of clients.entries()) {
    const { message = "" } = (await service.as(value, "GET", "/webhook")) as { message?: string };
    if (message.includes("FAILED") && promisedTo(key).staysActive)
      wrong.push(`the endpoint of key ${key} (${kindOf(key)}) is FAILED`);
  }
  return wrong;
}

/** Endpoints recover, those that had failed are started again, and all that is due arrives. */
async function settle(world: World): Promise<void> {
  const { service, receivers, oracle, clients, readers, many } = world;
  receivers.heal();
  const deadline = Date.now() + settleMs;
  for (let round = 0; Date.now() < deadline; round += 1) {
    const late = new Set(oracle.missing(receivers.arrivals).map(({ key }) => key));
    if (late.size === 0) break;
    // An answer that was under way when they recovered may have been the fifth failure.
    if (round % 10 === 0) for (const { value } of clients) await service.as(value, "PATCH", "/webhook", {});
    if (round % 10 === 0) await many?.startAgain();
    await delay(1000);
    await noteSetAside(world, key => late.has(key));
  }
  await noteSetAside(world, () => true);
  await world.pasts?.settle(deadline);
  await world.site?.settle(deadline);
  const due = readKeys.map(key => oracle.due(key));
  while (Date.now() < deadline && readers.some((each, at) => each.items.length < (due[at] ?? 0)))
    await delay(100);
}

/** Tells the oracle what is listed as set aside, at most a page of each endpoint that is asked about: more would be a fault of its own. */
async function noteSetAside(
  { service, oracle, clients, many }: World,
  isAsked: (key: number) => boolean,
): Promise<void> {
  await many?.noteSetAside(oracle, isAsked);
  for (const [key, { value }] of clients.entries()) {
    if (!isAsked(key)) continue;
    const list = await service.as(value, "GET", "/webhook/deliveries?status=dead&limit=100");
    for (const { event_id } of (list as { data: { event_id: string }[] }).data)
      oracle.setAside(key, event_id);
  }
}

function report(seed: number, kills: number, world: World, verdict: Verdict): boolean {
  const { receivers, readers, oracle } = world;
  const read = readers.flatMap((each, at) =>
    each.judge(`reader of key ${readKeys[at]}`, oracle.due(readKeys[at] ?? 0)),
  );
  const wrong = [...verdict.wrong, ...receivers.faults, ...read];
  const answers = Object.entries(receivers.answers).map(([name, count]) => `${count} ${name}`);
  console.log(
    `seed ${seed}: ${kills} kills, ${verdict.expected} deliveries due, ${verdict.arrived} arrived, ` +
      `${verdict.dead} set aside after five refusals, ${verdict.duplicates} came again over a kill; ` +
      `answers: ${answers.join(", ")}; ` +
      `streams, and pulls: ${readers.map(({ items, connections }) => `${items.length} events over ${connections} connections`).join(", ")}; ` +
      `history: ${world.pasts?.figures}; ` +
      `site: ${world.site?.figures}; ` +
      `lost or wrong ${wrong.length}`,
  );
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
  return wrong.length === 0;
}
