import type { Quotas } from "../../../mixins/clients/quotas.ts";
import { type Lane, newLane } from "../../../services/domain/delivery/lane.ts";
import type { QuotaUse } from "../../../services/domain/quota/quotas.ts";
import { activateLane } from "../../../services/webhook-dispatcher/lanes/active-lane.ts";
import { digestEvents } from "../../../services/webhook-dispatcher/lanes/digest-events.ts";
import { QuotaHold } from "../../../services/webhook-dispatcher/lanes/quota-hold.ts";
import { wantedEvents } from "../../../services/webhook-dispatcher/lanes/wanted-events.ts";
import { MemoryLog, someEvents } from "../../fakes/memory-log.ts";
import { noQuotas } from "../../support/no-quotas.ts";
import { until } from "../../support/until.ts";
import { endpoint, openLane } from "./one-lane.ts";

const usedUp: QuotaUse = {
  name: "deliveries",
  period: "day",
  used: 1,
  limit: 1,
  resets_at: new Date(Date.now() + 86_400_000).toISOString(),
};
const refusing: Quotas = {
  ...noQuotas,
  has: () => true,
  charge: async () => ({ granted: [], refused: usedUp, quotas: [usedUp] }),
};
const notice = (number: number) =>
  someEvents("k", number, 1).map(event => ({ ...event, type: "quota.exceeded" as const }));
const wanted = wantedEvents({ of: async () => new Set() }, { match: async () => [] });

test("a held lane lets other work run while it searches a long log", async () => {
  const { close, dispatcher, log, sent } = await openLane({ quotas: refusing });
  await log.append(someEvents("k", 1, 256 * 20));
  await log.append(notice(10_000));
  /** The reads of each turn of the event loop. */
  const reads = [0];
  let isOver = false;
  const turn = () => {
    reads.push(0);
    if (!isOver) setImmediate(turn);
  };
  turn();
  log.duringRead = async () => {
    reads[reads.length - 1] = (reads.at(-1) ?? 0) + 1;
  };
  dispatcher.wake(["k"]);
  await until("the notice behind the others arrived", () => sent.includes("evt_k-10000"));
  isOver = true;
  await close();
  expect(Math.max(...reads)).toBeLessThan(8);
});

test("a notice that failed once is tried again while the lane is held, also by the next worker", async () => {
  const log = new MemoryLog();
  await log.append([...someEvents("k", 1, 1), ...notice(2), ...someEvents("k", 3, 3)]);
  const fresh = newLane(1);
  const retry = { seq: 2, conversation: null, failures: 1, notBefore: 0, failedAt: 0 };
  const failed: Lane = { ...newLane(2), retries: [retry] };
  const held = async () => {
    const hold = new QuotaHold({ log, wanted, quotas: refusing, logger: console }, "k");
    await hold.charge(0, [{ seq: 3, conversation: null }], new Map());
    return async (lane: Lane) =>
      (await hold.notices(activateLane(endpoint, lane), lane))?.map(({ seq }) => seq);
  };
  const notices = await held();
  expect([await notices(fresh), await notices(failed), await notices(newLane(2))]).toEqual([[2], [2], []]);
  expect(await (await held())(failed)).toEqual([2]);
});

test("a digest shows a notice that comes after more events than a mail shows", async () => {
  const log = new MemoryLog();
  await log.append([...someEvents("k", 1, 60), ...notice(61), ...someEvents("k", 62, 3)]);
  const { shown, total } = await digestEvents({ log, wanted }, endpoint, "k", newLane(0));
  expect([shown.length, total]).toEqual([50, 64]);
  // What is not shown follows the last one.
  expect([shown[0]?.type, shown.at(-1)?.seq]).toEqual(["quota.exceeded", 49]);
});
