/** A tracker on a data folder that `fillStore` has filled; measures polls of sources here and there, one after the other. */
import { type Service, ServiceBroker } from "moleculer";
import { actions, handle } from "../../services/contracts/action.ts";
import { type PollResult, type Post, pollSource } from "../../services/contracts/connectors.contract.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { leaseDueSources, leaseSource, nextDueAt } from "../../services/tracker/polling/due-sources.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { pollOne } from "../support/poll-one.ts";
import { retention } from "../support/retention.ts";
import { type Cost, timedSteps } from "./growth.ts";
import { sourceId } from "./lists.fill.ts";

const polls = 500;
/** Each poll of the first half finds nothing, each of the second an item. */
let hasItem = false;

const [dataDir = ""] = process.argv.slice(2);
process.once("message", async (sources: number) => {
  process.send?.(await measure(sources));
});
process.send?.("ready");

async function measure(sources: number): Promise<Cost[]> {
  const broker = new ServiceBroker({ logger: false });
  broker.createService({
    name: "connectors",
    actions: actions(handle(pollSource, "public", ({ params: { state } }) => answer(state))),
  });
  const tracker = broker.createService(trackerService({ dataDir, pollMinIntervalMs: 60_000, ...retention }));
  await broker.start();
  const { context } = tracker as Service & { context: TrackerContext };
  const pollNth = async (n: number) => {
    const leased = await leaseSource(context, sourceId((n * 7919) % sources));
    if (!leased || (await pollOne(context, leased)) !== "ok") throw new Error("a source was not polled");
  };
  // What is compiled and prepared once is so before.
  for (let n = 0; n < 50; n += 1) await pollNth(n);
  const nothing = await timedSteps("poll that finds nothing", polls, n => pollNth(50 + n));
  hasItem = true;
  await pollNth(50 + polls);
  const item = await timedSteps("poll that finds an item", polls, n => pollNth(51 + polls + n));
  const due = await timedSteps("look for due sources", polls, async () => {
    await leaseDueSources(context, 64);
    await nextDueAt(context);
  });
  await broker.stop();
  return [...nothing, ...item, ...due];
}

function answer(state: Record<string, unknown>): PollResult {
  const turn = Number(state.turn ?? 0) + 1;
  const posts: Post[] = hasItem
    ? [{ postId: `${performance.now()}`, revision: "1", type: "rss.item.created", data: { item: { turn } } }]
    : [];
  return { ok: true, posts, state: { ...state, turn }, nextInMs: 900_000 };
}
