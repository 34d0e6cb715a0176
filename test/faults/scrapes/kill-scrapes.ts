import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { ServiceProcess } from "../deliveries/service-process.ts";
import { type Random, seeded } from "../random.ts";
import { look, sendScrapes, type World, watchScrapes } from "./clients.ts";
import { ScrapeLedger, type SeenNotice, type Verdict } from "./ledger.ts";

const clients = 2;
const comeOnMs = 120_000;
const settleMs = 300_000;
const page = "<title>A page</title><p>The text of an ordinary page that anyone may read, at some length.</p>";

/**
 * Sends scrapes while the service is killed with SIGKILL at seeded random moments, its start among them; then holds
 * what became of them against what was accepted.
 */
export async function killScrapes(seed: number, kills: number): Promise<Verdict> {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-scrapes-"));
  const random = seeded(seed);
  const [service, site, receiver] = [
    new ServiceProcess(dataDir),
    await startPages(random),
    await startReceiver(),
  ];
  try {
    await service.start();
    const limits = { requestsPerMinute: 1_000_000 };
    const made = await service.admin("POST", "/internal/keys", { owner: "o", name: "n", limits });
    const apiKey = (made as { data: { key: string } }).data.key;
    const world = { service, random, apiKey, ledger: new ScrapeLedger(), site: site.url, hook: receiver.url };
    await killWhileScraping(world, service, kills);
    await settle(world, receiver);
    return world.ledger.judge(noticesOf(receiver));
  } finally {
    await service.close();
    await Promise.all([site.close(), receiver.close()]);
    await removeFolder(dataDir);
  }
}

/** Answers after a while; `/slow` late, `/reset` never. */
export function startPages(random: Random): Promise<Site> {
  return startSite(({ url = "" }, response) => {
    if (url.startsWith("/reset")) return void response.destroy();
    const ms = url.startsWith("/slow") ? 1500 : random() * 300;
    const timer = setTimeout(() => response.setHeader("content-type", "text/html").end(page), ms);
    return response.on("close", () => clearTimeout(timer));
  });
}

async function killWhileScraping(world: World, service: ServiceProcess, kills: number): Promise<void> {
  const { random } = world;
  const stop = new AbortController();
  const sending = Array.from({ length: clients }, (_, n) => sendScrapes(world, `c${n}`, stop.signal));
  const watching = watchScrapes(world, stop.signal);
  for (let n = 0; n < kills; n += 1) {
    await comeOn(world);
    await delay(random() * 800);
    await service.kill();
    if (random() < 0.2) await service.startAndKill(random() * 500);
    await service.start();
  }
  stop.abort();
  await Promise.all([...sending, watching]);
}

/** A scrape that is at work at two kills is given up: those that were at work at the last one come to their end first. */
async function comeOn(world: World): Promise<void> {
  const { ledger } = world;
  const open = () => ledger.ids.filter(id => !ledger.hasEnded(id));
  for (const id of open()) await look(world, id);
  const begun = open().filter(id => ledger.hasBegun(id));
  const deadline = Date.now() + comeOnMs;
  while (begun.some(id => !ledger.hasEnded(id)) && Date.now() < deadline) {
    for (const id of begun) if (!ledger.hasEnded(id)) await look(world, id);
    await delay(20);
  }
}

/** Until all has ended and been told, or the time is over; then once more, to see whether it stays so. */
async function settle(world: World, receiver: Receiver): Promise<void> {
  const { ledger } = world;
  const deadline = Date.now() + settleMs;
  const isSettled = () =>
    ledger.ids.every(id => ledger.hasEnded(id)) && ledger.untold(noticesOf(receiver)).length === 0;
  while (!isSettled() && Date.now() < deadline) {
    for (const id of ledger.ids) if (!ledger.hasEnded(id)) await look(world, id);
    await delay(100);
  }
  for (const id of ledger.ids) await look(world, id);
}

/** What was told of scrapes. */
export function noticesOf({ received }: Receiver): SeenNotice[] {
  return received.map(({ id, event }) => {
    const { job } = event.data as unknown as { job: { scrape_id: string } };
    return { id, type: event.type, scrapeId: job.scrape_id };
  });
}
