/**
 * Hours of an installation in minutes: every ten seconds its clock leaps by almost four minutes, and brings all that waits for
 * a time: polls, pauses between attempts, retention, pruning. Feeds, a page and a social account are tracked, receivers fail and recover, pages are
 * scraped and crawled, and the service is killed and stopped in the first third. At the end the ledger must be exact, and
 * memory, files, timers and rows must be what they were after the last start. Exits with 1 when anything is not.
 *
 *     npm run soak -- --hours 6
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { removeFolder } from "../support/folders.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { startFeeds } from "./deliveries/feeds.ts";
import { Oracle } from "./deliveries/oracle.ts";
import { mannerOf, promisedTo } from "./deliveries/plan-receivers.ts";
import { startReceivers } from "./deliveries/receivers.ts";
import { ServiceProcess } from "./deliveries/service-process.ts";
import { seeded } from "./random.ts";
import { Errands, pause } from "./soak/errands.ts";
import {
  type Line,
  lineOfRows,
  linesOf,
  middleOf,
  rowsIn,
  type Taken,
  tableOf,
  takenBy,
} from "./soak/figures.ts";
import { followClock, type LeapingClock } from "./soak/leaping-clock.ts";

const { values } = parseArgs({
  options: { hours: { type: "string", default: "6" }, seed: { type: "string", default: "1" } },
});
/** 24 times as fast as the machine's. */
const clock: LeapingClock = { since: Date.now(), everyMs: 10_000, leapMs: 230_000 };
const factor = 1 + clock.leapMs / clock.everyMs;
const wholeMs = (Number(values.hours) * 3_600_000) / factor;
const random = seeded(Number(values.seed));
/** As parts of the whole, each of them by SIGKILL but the last one. */
const restarts = [0.08, 0.16, 0.24, 0.33];
const [feedCount, keyCount] = [10, 12];
const roundMs = 1000;
const settleMs = 120_000;
/** Looks at what the process takes, from which the middle counts. */
const looks = 9;
/** Where retention, of an hour, has done its work before the first count of rows. */
const leastHoursForRows = 4;

const dataDir = mkdtempSync(join(tmpdir(), "magpie-soak-"));
const told = join(dataDir, "holding.json");
const preload = new URL("soak/leaping-clock.ts", import.meta.url);
preload.search = new URLSearchParams({
  ...Object.fromEntries(Object.entries(clock).map(([name, ms]) => [name, String(ms)])),
  file: told,
}).toString();
const service = new ServiceProcess(dataDir, {
  ...withoutBrowser,
  NODE_OPTIONS: `--import=${preload}`,
  ...{ POLL_MIN_INTERVAL: "1m", WEBHOOK_BACKOFF: "30s,30s,30s,30s", SANDBOX_POST_EVERY: "off" },
  ...{ EVENT_RETENTION: "1h", RESULT_RETENTION: "1h", DELIVERY_RETENTION: "1h", BATCH_RETENTION: "1h" },
  ...{ KEEP_DAYS: "1", KEEP_MB: "1" },
});

interface Client {
  key: string;
  feeds: Set<number>;
}

followClock(clock);
const began = performance.now();
const [oracle, feeds] = [new Oracle(), await startFeeds(feedCount)];
const receivers = await startReceivers(random, () => ({ epoch: service.epoch }));
service.afterDeath = () => receivers.haveReadAll();
try {
  await service.start();
  const errands = await Errands.begin(service, nextLeap);
  const clients = await register();
  const { warm, rows, rounds } = await live(clients, errands);
  const end = middleOf(await look());
  const wrong = await settle(clients, errands);
  await service.kill("SIGTERM");
  await errands.close();
  report([...linesOf(warm, end), ...grown(rows, rounds.all / Math.max(rounds.atRows, 1))], errands, wrong);
} finally {
  await service.close();
  await Promise.all([feeds.close(), receivers.close()]);
  await removeFolder(dataDir);
}

async function register(): Promise<Client[]> {
  const clients: Client[] = [];
  const limits = { requestsPerMinute: 1_000_000 };
  for (let n = 0; n < keyCount; n += 1) {
    const made = await service.admin("POST", "/internal/keys", { owner: `owner-${n}`, name: "n", limits });
    const { key } = (made as { data: { key: string } }).data;
    const hook = await service.as(key, "POST", "/webhook", { url: receivers.url(n), ...mannerOf(n) });
    receivers.expectSecret(n, (hook as { data: { secret: string } }).data.secret);
    const mine = new Set([n % feedCount, (n * 3 + 1) % feedCount, (n * 7 + 2) % feedCount]);
    for (const feed of mine) await service.as(key, "POST", "/track/rss", { sid: feeds.url(feed) });
    clients.push({ key, feeds: mine });
  }
  return clients;
}

/** The hours themselves. Returns what was measured after the last restart, and how much work there was until then and in all. */
async function live(clients: Client[], errands: Errands) {
  const due = restarts.map(part => part * wholeMs);
  const rounds = { atRows: 0, all: 0 };
  let rows = new Map<string, number>();
  let warm: Promise<Taken[]> | undefined;
  for (let n = 0; performance.now() - began < wholeMs; n += 1) {
    const round = pause(roundMs);
    if (performance.now() - began > (due[0] ?? Number.POSITIVE_INFINITY)) {
      due.shift();
      const isLast = due.length === 0;
      await service.kill(isLast ? "SIGTERM" : "SIGKILL");
      if (isLast) {
        rows = rowsIn(dataDir);
        rounds.atRows = n;
        // Caches fill and code is compiled: a tenth of the rest.
        warm = pause((wholeMs - (performance.now() - began)) / 10).then(look);
      }
      await service.start();
    }
    for (let items = random() < 0.1 ? 6 : 2; items > 0; items -= 1) {
      const item = feeds.post(Math.floor(random() * feedCount));
      for (const [key, client] of clients.entries())
        if (client.feeds.has(item.feed)) oracle.expect(key, item);
    }
    await errands.round(n);
    await round;
    rounds.all = n;
    if (n % 60 === 59)
      print(`${simulated()}: ${receivers.arrivals.length} deliveries, ${JSON.stringify(errands.done)}`);
  }
  if (!warm) throw new Error("the run is too short for its restarts");
  return { warm: middleOf(await warm), rows, rounds };
}

/** Resolves just after the clock's next leap. */
function nextLeap(): Promise<void> {
  const passed = (performance.timeOrigin + performance.now() - clock.since) % clock.everyMs;
  return pause(clock.everyMs - passed + 300);
}

function simulated(): string {
  return `${(((performance.now() - began) * factor) / 3_600_000).toFixed(1)} h`;
}

async function look(): Promise<Taken[]> {
  const taken: Taken[] = [];
  while (taken.length < looks) {
    if (service.pid !== undefined) taken.push(takenBy(service.pid, told));
    await pause(1000);
  }
  return taken;
}

/** Endpoints recover, and all that is due arrives. Returns what is wrong, in sentences. */
async function settle(clients: Client[], errands: Errands): Promise<string[]> {
  receivers.heal();
  const deadline = performance.now() + settleMs;
  for (let round = 0; performance.now() < deadline; round += 1) {
    const late = new Set(oracle.missing(receivers.arrivals).map(({ key }) => key));
    if (late.size === 0) break;
    if (round % 10 === 0) for (const { key } of clients) await service.as(key, "PATCH", "/webhook", {});
    await noteSetAside(clients);
    await pause(1000);
  }
  await noteSetAside(clients);
  await errands.settle(deadline);
  const { wrong } = oracle.judge(receivers.arrivals, promisedTo);
  return [...wrong, ...receivers.faults, ...errands.wrong];
}

async function noteSetAside(clients: Client[]): Promise<void> {
  for (const [n, { key }] of clients.entries()) {
    const answer = await service.as(key, "GET", "/webhook/deliveries?status=dead&limit=100");
    for (const { event_id } of (answer as { data: { event_id: string }[] }).data)
      oracle.setAside(n, event_id);
  }
}

function grown(before: Map<string, number>, growth: number): Line[] {
  if (Number(values.hours) < leastHoursForRows) return [];
  return [...rowsIn(dataDir)]
    .sort()
    .map(([what, count]) => lineOfRows(what, before.get(what) ?? 0, count, growth))
    .filter(({ warm, end }) => warm + end > 0);
}

function report(lines: Line[], errands: Errands, wrong: string[]): void {
  const { expected, arrived, duplicates, dead } = oracle.judge(receivers.arrivals, promisedTo);
  print(tableOf(lines));
  const ledger = `${arrived} of ${expected} events arrived, ${dead} set aside, ${duplicates} again after a kill`;
  const { scrapes, crawls, posts, edits } = errands.done;
  print(
    `${simulated()}: ${ledger}; ${scrapes} scrapes, ${crawls} crawls, ${posts} posts, ${edits} editions.`,
  );
  for (const sentence of wrong.slice(0, 50)) print(`WRONG: ${sentence}`);
  if (wrong.length > 0 || lines.some(({ end, most }) => end > most)) process.exitCode = 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
