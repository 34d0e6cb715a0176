/** A whole service in a process of its own, which kills itself at a moment of a step through a site. */
import type { Service } from "moleculer";
import type { ClusterConfig } from "../../mixins/config/config.ts";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import type { WithSitePages } from "../../mixins/site-pages/site-pages.mixin.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { type WatchTracker, watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { type Magpie, startMagpie } from "./magpie.ts";
import { until } from "./until.ts";

/**
 * Moments of a step through a site: after pages were offered; after some were settled; before their posts are appended;
 * after that, before the state says so; and while it is acknowledged.
 */
type Moment = "offer" | "settle" | "posts" | "append" | "acknowledge";

/** Where a process kills itself, for the n-th time that it gets there. */
export interface KillAt {
  moment: Moment;
  n: number;
}

export interface SiteNodeTask {
  dataDir: string;
  cluster?: ClusterConfig;
  killAt?: KillAt;
}

/** Begins a round of the source, and waits until all that is due was visited and told. */
export interface RoundAsked {
  source: string;
  isFirst: boolean;
}

/** Rounds begin when they are asked for. */
const pollMinIntervalMs = 60_000;

process.once("message", async (task: SiteNodeTask) => {
  const { dataDir, cluster } = task;
  const overrides = { ...watchOverrides(pollMinIntervalMs), dataDir, ...(cluster && { cluster }) };
  const secret = { masterSecret: "the master secret of the tests" };
  const magpie = await startMagpie({ ...overrides, ...secret }, config =>
    [...new Set(watchServices)].map(service => service(config)),
  );
  const tracker = magpie.broker.getLocalService("tracker") as unknown as WatchTracker;
  if (task.killAt) arm(magpie, tracker.context, task.killAt);
  process.on("message", async (asked: RoundAsked) => {
    await round(tracker, asked);
    process.send?.("at rest");
  });
  process.send?.(magpie.url);
});
process.once("disconnect", () => process.exit());
process.send?.("ready");

function arm({ broker }: Magpie, context: TrackerContext, { moment, n }: KillAt): void {
  let times = 0;
  const reached = (at: Moment) => {
    if (at !== moment) return;
    times += 1;
    if (times === n) process.kill(process.pid, "SIGKILL");
  };
  const { sitePages } = broker.getLocalService("connectors") as Service & WithSitePages;
  const { offer, settle, acknowledge } = sitePages;
  Object.assign(sitePages, {
    offer: async (...asked: Parameters<typeof offer>) => {
      const added = await offer(...asked);
      if (added > 0) reached("offer");
      return added;
    },
    settle: async (...asked: Parameters<typeof settle>) => {
      await settle(...asked);
      reached("settle");
    },
    acknowledge: async (...asked: Parameters<typeof acknowledge>) => {
      const done = acknowledge(...asked);
      // Under way, and on the disk or not.
      setImmediate(() => reached("acknowledge"));
      await done;
    },
  });
  const { log } = context;
  context.log = {
    drop: id => log.drop(id),
    holders: (...asked) => log.holders(...asked),
    append: async (...asked: Parameters<EventLog["append"]>) => {
      const isOfSite = asked[0].some(({ type }: NewEvent) => type.startsWith("site."));
      if (isOfSite) reached("posts");
      const appended = await log.append(...asked);
      if (isOfSite) reached("append");
      return appended;
    },
  };
}

async function round(
  { context, pollScheduler }: WatchTracker,
  { source, isFirst }: RoundAsked,
): Promise<void> {
  const { sources } = context;
  let since = 0;
  if (!isFirst) {
    await until("the source is at rest", async () => (await sources.findById(source))?.lease === undefined);
    since = Date.now();
    await sources.update(source, { $set: { dueAt: since - 1, askedAt: since } });
    pollScheduler.wake();
  }
  await until("all was visited and told", async () => {
    const found = await sources.findById(source);
    if (found === null || found.lease !== undefined) return false;
    return found.polledAt >= since && found.polledAt > 0 && found.dueAt > Date.now() + 5000;
  });
}
