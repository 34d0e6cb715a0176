import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../support/folders.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { type Bench, median, type Outcome, verdict } from "./compare.ts";
import { fillStore, masterSecret, ownKey, type Sizes } from "./lists.fill.ts";
import { type Program, startProgram } from "./program.ts";

const sizes: Sizes = {
  keys: 10_000,
  owners: 2_000,
  sources: 100_000,
  ownSources: 5_000,
  deliveries: 1_000_000,
  scrapes: 20_000,
  crawls: 2_000,
  joins: 2_000,
  usageDays: 30,
};
const barMs = 300;
const rounds = 20;

/** Every list and the first requests of every page, as the key with most and as the administrator. */
export const asKey = [
  "/users/me",
  "/users/me/usage?days=30",
  "/users/me/api-keys",
  "/track?limit=50",
  "/track?health=failing",
  "/track?source=rss&limit=200",
  "/track?query=host-49",
  "/track?query=nothing",
  "/track/rss/find?query=host-49",
  "/tracked-users",
  "/track/joins",
  "/webhook",
  "/webhooks",
  "/webhook/deliveries?limit=100",
  "/webhook/deliveries?status=succeeded",
  "/webhook/deliveries?status=dead",
  "/webhook/deliveries?event_id=evt_none",
  "/web/scrape",
  "/web/scrape?status=failed",
  "/web/crawl",
];
export const asAdmin = [
  "/internal/overview",
  "/internal/keys",
  "/internal/keys?owner=owner-7",
  "/internal/keys?query=key%2099",
  "/internal/owners",
  "/internal/owners?query=owner-19",
  "/internal/usage?days=30",
  "/internal/sources",
  "/internal/sources?health=failing",
  "/internal/sources?source=web&health=ok",
  "/internal/sources?query=host-99999",
  "/internal/lanes",
  "/internal/lanes?status=FAILED",
  "/internal/deliveries?limit=200",
  "/internal/deliveries?status=succeeded",
  "/internal/deliveries?status=failed",
  "/internal/deliveries?status=dead&limit=200",
  "/internal/deliveries?key_id={own}&status=dead",
  "/internal/deliveries?key_id={own}&status=succeeded",
  "/internal/scrapes",
  "/internal/scrapes?status=failed",
  "/internal/scrapes?key_id={own}",
  "/internal/crawls",
  "/internal/joins",
  "/internal/joins?status=completed",
  "/health/ready",
];

/** How long lists take to be answered when an embedded store holds much. */
export const lists: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-lists-"));
  try {
    const own = await showProgress("Filling the store", () => fillStore(folder, sizes));
    const program = await startProgram([], {
      ...withoutBrowser,
      DATA_DIR: folder,
      MASTER_SECRET: masterSecret,
      LOG_LEVEL: "error",
      SANDBOX_POST_EVERY: "off",
    });
    try {
      return await measureAll(program, own);
    } finally {
      await program.stop();
    }
  } finally {
    await removeFolder(folder);
  }
};

async function measureAll(program: Program, own: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const path of asKey) outcomes.push(await measure(program, path, { "x-api-key": ownKey }));
  for (const path of asAdmin)
    outcomes.push(await measure(program, path.replace("{own}", own), { "x-admin-key": program.adminKey }));
  return outcomes;
}

async function measure(program: Program, path: string, headers: Record<string, string>): Promise<Outcome> {
  const times = await timesOf(program, path, headers, rounds);
  const worst = Math.max(...times);
  const who = "x-api-key" in headers ? "key  " : "admin";
  const text = `${who} ${path.padEnd(52)} median ${median(times).toFixed(1).padStart(6)} ms, worst ${worst.toFixed(1).padStart(6)} ms`;
  return verdict(text, Math.round(worst), "<=", barMs);
}

/** A machine that is very busy with other work lets a service refuse a request as overloaded. */
const overloaded = 503;

/** The times from the request to the whole answer, over loopback, in ms, with those of requests that were refused before. */
export async function timesOf(
  { address }: Program,
  path: string,
  headers: Record<string, string>,
  requests: number,
): Promise<number[]> {
  const times: number[] = [];
  let since = performance.now();
  while (times.length < requests) {
    const answer = await fetch(address + path, { headers, signal: AbortSignal.timeout(60_000) });
    await answer.arrayBuffer();
    if (answer.status === overloaded) continue;
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
    times.push(performance.now() - since);
    since = performance.now();
  }
  return times;
}
