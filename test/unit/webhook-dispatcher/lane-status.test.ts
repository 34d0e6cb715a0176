import { type Lane, newLane } from "../../../services/domain/delivery/lane.ts";
import { checkDeliveries } from "../../../services/webhook-dispatcher/lanes/lane-status.ts";
import { laneLag } from "../../../services/webhook-dispatcher/lanes/waiting-events.ts";

test.each<[string, Partial<Lane>, number]>([
  ["what is after the position", {}, 10],
  ["but what is settled there", { position: 4, settled: [6, 8] }, 4],
  ["what waits for an endpoint that fails now and then", { streak: [1], misses: 2 }, 10],
  ["nothing of one that is probed", { streak: [1], misses: 3 }, 0],
  ["nothing of one that is FAILED", { status: "FAILED" }, 0],
  ["nothing when the log has expired", { position: 12 }, 0],
])("counts %s", async (_, change, expected) => {
  const lanes = new Map<string, Lane>([
    ["a", { ...newLane(0), ...change }],
    ["b", newLane(9)],
  ]);
  const lag = await laneLag({
    dispatcher: { busy: ["a", "b", "let go"], passedIn: () => 0 },
    journal: { lane: keyId => lanes.get(keyId) },
    log: { bounds: async () => ({ oldest: 1, latest: 10 }) },
  });
  expect(lag).toBe(expected + 1);
});

const none = () => Promise.resolve(0);
const some = () => Promise.resolve(1_234);
const broken = () => Promise.reject(new Error("disk I/O error"));
const full = new Error("database or disk is full");
const dispatcher = (shards: number, error?: Error) => ({
  shards: Array.from({ length: shards }, (_, n) => n),
  writeError: async () => error,
});

test.each([
  ["all is well", undefined, none, ["journal ok", "lanes ok", "endpoints ok"], []],
  ["many endpoints are FAILED", undefined, some, ["journal ok", "lanes ok", "endpoints ok"], []],
  ["nothing can be written", full, some, ["journal missing", "lanes ok"], []],
  ["nothing can be read", undefined, broken, ["journal missing", "lanes ok"], ["Error: disk I/O error"]],
])("when %s", async (_, writeError, count, expected, logged) => {
  const faults: string[] = [];
  const checked = {
    lanes: { count },
    dispatcher: dispatcher(128, writeError),
  };
  const findings = await checkDeliveries(checked, error => faults.push(String(error)));
  expect(findings.map(({ name, status }) => `${name} ${status}`)).toEqual(expected);
  expect(faults).toEqual(logged);
});

test.each([
  ["how many are FAILED", undefined, 128, [undefined, undefined, expect.stringContaining("1234 FAILED")]],
  [
    "what to look after when nothing can be recorded",
    full,
    128,
    [expect.stringContaining("DATA_DIR"), undefined],
  ],
  [
    "its share of the lanes",
    undefined,
    43,
    [undefined, "This node works 43 of 128 shards.", expect.anything()],
  ],
  [
    "that it has none",
    undefined,
    0,
    [undefined, expect.stringContaining("delivers nothing"), expect.anything()],
  ],
])("says %s", async (_, writeError, count, expected) => {
  const checked = {
    lanes: { count: some },
    dispatcher: dispatcher(count, writeError),
  };
  const findings = await checkDeliveries(checked, () => undefined);
  expect(findings.map(({ detail }) => detail)).toEqual(expected);
  expect(findings.find(({ name }) => name === "lanes")?.status).toBe(count > 0 ? "ok" : "degraded");
});
