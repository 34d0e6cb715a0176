import { checkDeliveries } from "../../../services/webhook-dispatcher/check-deliveries.ts";

const none = () => Promise.resolve(0);
const some = () => Promise.resolve(1_234);
const broken = () => Promise.reject(new Error("disk I/O error"));
const full = new Error("database or disk is full");
const shards = (count: number) => ({ shards: Array.from({ length: count }, (_, n) => n) });

test.each([
  ["all is well", undefined, none, ["journal ok", "lanes ok", "endpoints ok"], []],
  ["many endpoints are FAILED", undefined, some, ["journal ok", "lanes ok", "endpoints ok"], []],
  ["nothing can be written", full, some, ["journal missing", "lanes ok"], []],
  ["nothing can be read", undefined, broken, ["journal missing", "lanes ok"], ["Error: disk I/O error"]],
])("when %s", async (_, problem, count, expected, logged) => {
  const faults: string[] = [];
  const checked = { journal: { problem: async () => problem }, lanes: { count }, dispatcher: shards(128) };
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
])("says %s", async (_, problem, count, expected) => {
  const checked = {
    journal: { problem: async () => problem },
    lanes: { count: some },
    dispatcher: shards(count),
  };
  const findings = await checkDeliveries(checked, () => undefined);
  expect(findings.map(({ detail }) => detail)).toEqual(expected);
  expect(findings.find(({ name }) => name === "lanes")?.status).toBe(count > 0 ? "ok" : "degraded");
});
