import { type Lane, newLane } from "../../../services/domain/delivery/lane.ts";
import { laneLag } from "../../../services/webhook-dispatcher/lane-lag.ts";

test.each<[string, Partial<Lane>, number]>([
  ["what is after the position", {}, 10],
  ["but what is settled there", { position: 4, settled: [6, 8] }, 4],
  ["nothing of an endpoint that fails", { streak: [1] }, 0],
  ["nothing of one that is FAILED", { status: "FAILED" }, 0],
  ["nothing when the log has expired", { position: 12 }, 0],
])("counts %s", async (_, change, expected) => {
  const lanes = new Map<string, Lane>([
    ["a", { ...newLane(0), ...change }],
    ["b", newLane(9)],
  ]);
  const lag = await laneLag({
    dispatcher: { busy: ["a", "b", "let go"] },
    journal: { lane: keyId => lanes.get(keyId) },
    log: { bounds: async () => ({ oldest: 1, latest: 10 }) },
  });
  expect(lag).toBe(expected + 1);
});
