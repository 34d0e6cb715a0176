import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startSite } from "../../support/http-site.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { type Feeds, startFeeds } from "../deliveries/feeds.ts";
import { Oracle } from "../deliveries/oracle.ts";
import { mannerOf, promisedTo } from "../deliveries/plan-receivers.ts";
import { type Receivers, startReceivers } from "../deliveries/receivers.ts";
import { ServiceProcess } from "../deliveries/service-process.ts";
import { type Random, seeded } from "../random.ts";
import { Acts, type Ask, asker, type Illness } from "./acts.ts";
import { IllDisk } from "./ill-disk.ts";

const feedCount = 6;
/** Each mode of delivery: endpoints that take all at once, and such that refuse one in ten. */
const keys = [0, 1, 2, 6, 7, 8];
const settleMs = 240_000;
const illMs = 4_000;
/** Of one core. */
const mostCpu = 0.9;

const full: Illness = { name: "full", cause: /disk of DATA_DIR is full/ };
const slow: Illness = { name: "slow", cause: /disk of DATA_DIR is slow/ };
const readOnly: Illness = { name: "read-only", cause: /disk of DATA_DIR is read-only/ };

interface World {
  disk: IllDisk;
  service: ServiceProcess;
  feeds: Feeds;
  receivers: Receivers;
  oracle: Oracle;
  acts: Acts;
  health: Ask;
  /** Of the log, since the service began. */
  lines: { event: string; kind?: string }[];
  random: Random;
  notes: string[];
}

/** One run: figures, and what is not as it must be. */
export async function runIllDisk(seed: number): Promise<{ figures: string; wrong: string[] }> {
  const disk = new IllDisk();
  const dataDir = join(disk.folder, "data");
  mkdirSync(dataDir);
  const service = new ServiceProcess(dataDir, { ...withoutBrowser, LOG_LEVEL: "info" });
  const [feeds, oracle, random] = [await startFeeds(feedCount), new Oracle(), seeded(seed)];
  const receivers = await startReceivers(seeded(seed + 1), () => ({ epoch: service.epoch }));
  const text = "A page with a text of some words, so that it needs no browser to be read. ".repeat(20);
  const page = await startSite((_, response) =>
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<!doctype html><title>Page</title><main><h1>Page</h1><p>${text}</p></main>`),
  );
  const lines: World["lines"] = [];
  service.onLine = line => {
    if (line.startsWith("{")) lines.push(JSON.parse(line));
  };
  try {
    await service.start();
    const client = await setUp(service, feeds, receivers);
    const address = () => service.address;
    const acts = new Acts(asker(address, service.adminHeaders), asker(address, client), page.url);
    const health = asker(address, {});
    const world = { disk, service, feeds, receivers, oracle, acts, health, lines, random, notes: [] };
    const stop = new AbortController();
    const working = Promise.all([acts.work(stop.signal), post(world, stop.signal)]);
    await suffer(world);
    stop.abort();
    await working;
    return await judge(world);
  } finally {
    await service.close();
    await Promise.all([feeds.close(), receivers.close(), page.close()]);
    await disk.close();
  }
}

/** Each key has an endpoint and tracks all feeds. The headers of the first one. */
async function setUp(service: ServiceProcess, feeds: Feeds, receivers: Receivers) {
  const values: string[] = [];
  for (const key of keys) {
    const limits = { requestsPerMinute: 1_000_000, concurrentScrapes: 20 };
    const made = await service.admin("POST", "/internal/keys", { owner: `owner-${key}`, name: "n", limits });
    const value = (made as { data: { key: string } }).data.key;
    const hook = await service.as(value, "POST", "/webhook", { url: receivers.url(key), ...mannerOf(key) });
    receivers.expectSecret(key, (hook as { data: { secret: string } }).data.secret);
    for (let feed = 0; feed < feedCount; feed += 1)
      await service.as(value, "POST", "/track/rss", { sid: feeds.url(feed) });
    values.push(value);
  }
  return { "x-api-key": values[0] ?? "" };
}

async function post({ feeds, oracle, random }: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const item = feeds.post(Math.floor(random() * feedCount));
    for (const key of keys) oracle.expect(key, item);
    await delay(40 + random() * 100);
  }
}

async function suffer(world: World): Promise<void> {
  const { disk, service, acts } = world;
  await grown(world);
  await episode(world, full, () => disk.fill());
  disk.empty();
  await recovered(world, full);
  if (slowedDown(world)) {
    await episode(world, slow, () => undefined);
    disk.speedUp();
    await recovered(world, slow);
  }
  await episode(world, readOnly, () => disk.turnReadOnly());
  acts.isPaused = true;
  await service.kill("SIGTERM");
  disk.repair();
  await service.start();
  acts.illness = undefined;
  acts.isPaused = false;
  await grown(world);
}

function slowedDown({ disk, service, notes }: World): boolean {
  try {
    disk.slowDown(service.pid ?? 0);
    return true;
  } catch (error) {
    notes.push(`slow was skipped, for this machine slows no disk down (${(error as Error).message})`);
    return false;
  }
}

/** The disk falls ill; the log and the health say it, a request is refused, and the process goes on without spinning. */
async function episode(world: World, illness: Illness, fallIll: () => void): Promise<void> {
  const { acts, service, lines, health } = world;
  const { pid } = service;
  const begun = lines.length;
  const refusedBefore = acts.refused;
  acts.illness = illness;
  fallIll();
  await until(`the log says that the disk is ${illness.name}`, () => told(lines.slice(begun), illness) > 0);
  const [at, cpu] = [performance.now(), cpuMs(pid)];
  await delay(illMs);
  if (illness !== slow)
    await until(`refused while the disk is ${illness.name}`, () => acts.refused > refusedBefore);
  const { status, body } = await health("GET", "/health/ready");
  const share = (cpuMs(pid) - cpu) / (performance.now() - at);
  const found = body.missing?.find(({ name }) => name === "disk");
  const wrong = [
    [!illness.cause.test(found?.detail ?? ""), `/health/ready does not say it: ${status} ${found?.detail}`],
    [told(lines.slice(begun), illness) !== 1, `the log says it ${told(lines.slice(begun), illness)} times`],
    [share > mostCpu, `the process took ${share.toFixed(2)} of a core`],
    [service.pid !== pid, "the process died"],
  ] as const;
  for (const [is, sentence] of wrong) if (is) acts.wrong.push(`disk ${illness.name}: ${sentence}`);
  const written = lines.length - begun;
  world.notes.push(
    `${illness.name}: ${acts.refused - refusedBefore} refused, ${written} lines, ${share.toFixed(2)} of a core`,
  );
}

async function recovered(world: World, { name }: Illness): Promise<void> {
  const { acts, lines } = world;
  await until(`the log says that the disk is no longer ${name}`, () =>
    lines.some(({ event, kind }) => event === "disk.recovered" && kind === name),
  );
  acts.illness = undefined;
  const before = acts.accepted;
  // A poll whose end could not be stored frees its source with its lease, so deliveries are judged at the end.
  await until(`accepted after the disk was ${name}`, () => acts.accepted > before + 4);
}

/** Resolves when deliveries arrive. */
async function grown({ receivers }: World): Promise<void> {
  const before = receivers.arrivals.length;
  await until("deliveries arrive", () => receivers.arrivals.length > before + 10 * keys.length);
}

function told(lines: World["lines"], { name }: Illness): number {
  return lines.filter(({ event, kind }) => event === "disk.failed" && kind === name).length;
}

/** Processor time that a process has taken; its ticks are of 10 ms (proc(5)). */
function cpuMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function judge({
  receivers,
  oracle,
  acts,
  notes,
}: World): Promise<{ figures: string; wrong: string[] }> {
  receivers.heal();
  const deadline = Date.now() + settleMs;
  while (oracle.missing(receivers.arrivals).length > 0 && Date.now() < deadline) await delay(100);
  const lost = await acts.judge(deadline);
  const verdict = oracle.judge(receivers.arrivals, promisedTo);
  const figures = [
    `${acts.accepted} acts accepted, ${acts.refused} refused, ${acts.unanswered} without an answer`,
    `${verdict.expected} deliveries due, ${verdict.arrived} arrived, ${verdict.duplicates} came again over a restart`,
    ...notes,
  ];
  return {
    figures: figures.join("; "),
    wrong: [...acts.wrong, ...lost, ...verdict.wrong, ...receivers.faults],
  };
}
