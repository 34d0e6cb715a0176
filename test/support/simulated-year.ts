import { createHash } from "node:crypto";
import { ulid } from "ulid";
import type { CheckRun, History, ValueRun } from "../../mixins/history/history.ts";
import { type Random, seeded } from "../faults/random.ts";

/** How long, how many and how often. A page changes some 30 to 60 times a year. */
export interface YearSizes {
  pages: number;
  days: number;
  /** Checks of each page a day; those between two changes are one run. */
  checksADay: number;
  /** Looks at the past of each page, at random times. */
  looks: number;
}

/** What a simulated year came to. Times in milliseconds of the process that asks. */
export interface Year {
  versions: number;
  checks: number;
  /** By what the history says of itself. */
  bytes: number;
  /** Looks that found another version, or another content, than was there at that time. */
  wrong: string[];
  /** Of each look: finding the version of a time, and reading its content; as time passes, and of the processors. */
  lookMs: number[];
  cpuMs: number[];
}

const dayMs = 86_400_000;
const start = Date.parse("2025-01-01T00:00:00.000Z");
const kinds = ["price", "news", "docs"] as const;

/** Keeps a year of pages that change at random times, and asks what they said. The same for the same seed. */
export async function simulateYear(history: History, sizes: YearSizes, seed = 1): Promise<Year> {
  const random = seeded(seed);
  const pages = Array.from({ length: sizes.pages }, (_, n) => simulatedPage(n, sizes, random));
  const waiting = [...pages];
  const lane = async () => {
    for (let page = waiting.pop(); page; page = waiting.pop()) await keep(history, page, sizes);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  const found: Year = { versions: 0, checks: 0, bytes: 0, wrong: [], lookMs: [], cpuMs: [] };
  for (const page of pages) {
    const { versions, bytes } = await history.size(page.sourceId);
    found.versions += versions;
    found.bytes += bytes;
    found.checks += sizes.days * sizes.checksADay;
    for (let n = 0; n < sizes.looks; n += 1) await look(history, page, sizes, random, found);
  }
  return found;
}

interface SimulatedPage {
  sourceId: string;
  number: number;
  /** When each version was first seen; the first one is the baseline. */
  at: number[];
  ids: string[];
}

function simulatedPage(number: number, { days, checksADay }: YearSizes, random: Random): SimulatedPage {
  const everyMs = dayMs / checksADay;
  const changes = Math.max(1, Math.round((days / 365) * (30 + random() * 30)));
  const checks = new Set([0]);
  for (let n = 0; n < changes; n += 1) checks.add(Math.floor(random() * days * checksADay));
  const at = [...checks].sort((a, b) => a - b).map(check => start + check * everyMs);
  return { sourceId: `page-${number}`, number, at, ids: at.map(time => ulid(time)) };
}

async function keep(history: History, page: SimulatedPage, { days, checksADay }: YearSizes): Promise<void> {
  const { sourceId, number, at, ids } = page;
  const everyMs = dayMs / checksADay;
  const checks: CheckRun[] = [];
  const values: ValueRun[] = [];
  for (const [n, time] of at.entries()) {
    const content = Buffer.from(contentOf(number, n));
    const hash = createHash("sha256").update(content).digest("hex");
    const said =
      n === 0 ? { outcome: "first" as const } : { outcome: "changed" as const, eventId: `${sourceId}-${n}` };
    const version = {
      ...{ id: ids[n] ?? "", sourceId, at: time, hash, content },
      ...said,
      title: `Page ${number}`,
    };
    await history.add([
      { ...version, reason: "1 line added, 1 line removed.", words: `news ${n}`, added: 1, removed: 1 },
    ]);
    const end = (at[n + 1] ?? start + days * dayMs) - everyMs;
    const count = Math.round((end - time) / everyMs) + 1;
    const run = { sourceId, versionId: version.id, tookMs: 80, status: 200, engine: "http" as const };
    checks.push(
      {
        ...run,
        first: time,
        last: time,
        count: 1,
        outcome: "changed",
        reason: "1 line added, 1 line removed.",
      },
      ...(count > 1
        ? [
            {
              ...run,
              first: time + everyMs,
              last: end,
              count: count - 1,
              outcome: "same" as const,
              reason: "Nothing has changed that counts.",
            },
          ]
        : []),
    );
    values.push({ sourceId, field: "value", value: n, first: time, last: end });
  }
  await history.addChecks(checks);
  await history.addValues(values);
}

async function look(
  history: History,
  { sourceId, number, at, ids }: SimulatedPage,
  { days }: YearSizes,
  random: Random,
  found: Year,
): Promise<void> {
  const time = start + Math.floor(random() * days * dayMs);
  const expected = at.findLastIndex(each => each <= time);
  const [began, usage] = [performance.now(), process.cpuUsage()];
  const version = await history.versionAt(sourceId, time);
  const content = version && (await history.content(version.hash));
  const { user, system } = process.cpuUsage(usage);
  found.lookMs.push(performance.now() - began);
  found.cpuMs.push((user + system) / 1000);
  const isExact = version?.id === ids[expected] && content?.toString() === contentOf(number, expected);
  if (!isExact) found.wrong.push(`${sourceId} at ${new Date(time).toISOString()}: ${version?.id}`);
}

/** The reduced page of a shop, a list of news, or a documentation, as its version `n` has it: 20 to 60 KB. */
function contentOf(page: number, n: number): string {
  const kind = kinds[page % kinds.length];
  const blocks = 150 + (page % 7) * 40;
  const block = (at: number, edition = 0) =>
    `<p class="b${at % 9}" id="p${at}">${sentence(page, at, edition)}</p>`;
  const line = (at: number) => {
    if (kind === "price")
      return at === 20 ? `<b class="price">€ ${(1000 + ((n * 37) % 400)) / 10}</b>` : block(at);
    if (kind === "news") return block(at - n + 1_000_000);
    // Every version rewrites one block of the documentation, and leaves it so.
    return block(at, Math.floor((n + blocks - ((at * 17) % blocks)) / blocks));
  };
  const lines = Array.from({ length: blocks }, (_, at) => line(at));
  return `<!doctype html><html lang="en"><head><title>Page ${page}</title></head><body><main>\n${lines.join("\n")}\n</main></body></html>`;
}

const words =
  "the a of station price report winter market garden model water paper number seven update release open close hall music street school minister energy train".split(
    " ",
  );

/** A sentence of some 20 words, the same for the same numbers. */
function sentence(page: number, at: number, edition: number): string {
  const random = seeded(page * 7_919 + at * 104_729 + edition * 15_485_863);
  const length = 14 + Math.floor(random() * 14);
  return Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
}
