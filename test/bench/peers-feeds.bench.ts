import { setTimeout as delay } from "node:timers/promises";
import { freeze } from "../support/freeze.ts";
import { startHelper } from "./child.ts";
import { type Bench, type Outcome, rate } from "./compare.ts";
import type { FeedsMode, Readings } from "./feeds.process.ts";
import { type Miniflux, startMiniflux } from "./peers/miniflux.ts";
import { type Program, startProgram } from "./program.ts";
import { type Cost, costsOf, ratioOfCosts, showCosts, type WholeSide } from "./whole-side.ts";

const rounds = 5;
const feedCount = 1000;
/** Of a round of Magpie, which polls by its own schedule. */
const measuredMs = 4000;
/** Of a round of Miniflux. */
const refreshes = 150;
const kinds = {
  bytes: "feeds that send the same bytes again",
  new: "feeds with one new item each time",
} as const;

type Feeds = Awaited<ReturnType<typeof startFeeds>>;

/** Polls of feeds of 15 items beside Miniflux with PostgreSQL: polls per second and CPU time a poll. */
export const peersFeeds: Bench = async () => {
  const feeds = await startFeeds();
  const program = await startProgram([], { EGRESS_ALLOW: "127.0.0.0/8", POLL_MIN_INTERVAL: "1s" });
  let miniflux: Miniflux | undefined;
  try {
    miniflux = await startMiniflux();
    await miniflux.follow(feeds.urls);
    await rate(feeds.urls, 16, sid => program.ask("POST", "/track/rss", { sid }));
    await freeze(program.pid);
    const outcomes: Outcome[] = [];
    for (const kind of ["bytes", "new"] as const) {
      const sides = { magpie: ours(program, feeds, kind), theirs: beside(miniflux, feeds, kind) };
      outcomes.push(...lines(kinds[kind], await costsOf(rounds, sides)));
    }
    return outcomes;
  } catch (error) {
    if (miniflux !== undefined) throw error;
    return [{ line: `peers-feeds: Miniflux was passed over: ${(error as Error).message}` }];
  } finally {
    process.kill(program.pid, "SIGCONT");
    await Promise.all([program.stop(), miniflux?.stop(), feeds.stop()]);
  }
};

/** Each feed has a host of its own, so that no politeness delays it. */
async function startFeeds() {
  const { first, ask, stop } = await startHelper<{ mode: FeedsMode }, Readings, string>("feeds.process.ts");
  const { port } = new URL(first);
  const urls = Array.from(
    { length: feedCount },
    (_, n) => `http://127.0.${1 + Math.floor(n / 200)}.${1 + (n % 200)}:${port}/f/${n}`,
  );
  return { urls, readings: async (mode: FeedsMode) => (await ask({ mode })).count, stop };
}

/** It stands still while the others work: it would poll on. All feeds are due when it wakes up. */
function ours({ pid }: Program, feeds: Feeds, mode: FeedsMode): WholeSide {
  return {
    pids: [pid],
    run: async () => {
      await feeds.readings(mode);
      const started = performance.now();
      process.kill(pid, "SIGCONT");
      await delay(measuredMs);
      await freeze(pid);
      const seconds = (performance.now() - started) / 1000;
      const units = await feeds.readings(mode);
      return { units, perSecond: units / seconds };
    },
  };
}

function beside({ pids, refresh }: Miniflux, feeds: Feeds, mode: FeedsMode): WholeSide {
  return {
    pids,
    run: async () => {
      await feeds.readings(mode);
      const perSecond = await refresh(refreshes);
      const units = await feeds.readings(mode);
      if (units !== refreshes) throw new Error(`Miniflux read ${units} feeds, not ${refreshes}`);
      return { units, perSecond };
    },
  };
}

function lines(what: string, { magpie, theirs }: Record<"magpie" | "theirs", Cost[]>): Outcome[] {
  const ratio = (key: keyof Cost) => ratioOfCosts(magpie, theirs, key);
  return [
    {
      line: `peers-feeds: ${what}: magpie ${showCosts(magpie, "poll")}; Miniflux with PostgreSQL ${showCosts(theirs, "poll")}; ratio ${ratio("perSecond").toFixed(2)}, of CPU ${ratio("cpuMs").toFixed(3)}, of memory ${ratio("peakMb").toFixed(2)}`,
    },
  ];
}
