import { noQuotas, type Quotas } from "../../../services/contracts/clients/quotas.ts";
import type { QuotaUse } from "../../../services/domain/quota/quotas.ts";
import { someEvents } from "../../fakes/memory-log.ts";
import { until } from "../../support/until.ts";
import { openLane } from "./one-lane.ts";

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

test("a held lane lets other work run while it searches a long log", async () => {
  const { close, dispatcher, log, sent } = await openLane({ quotas: refusing });
  await log.append(someEvents("k", 1, 256 * 20));
  await log.append(someEvents("k", 10_000, 1).map(event => ({ ...event, type: "quota.exceeded" })));
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
