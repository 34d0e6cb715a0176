import { checkDeliveries } from "../../../services/webhook-dispatcher/check-deliveries.ts";

const none = () => Promise.resolve(0);
const some = () => Promise.resolve(1_234);
const broken = () => Promise.reject(new Error("disk I/O error"));
const full = new Error("database or disk is full");

test.each([
  ["all is well", undefined, none, ["journal ok", "endpoints ok"], []],
  ["many endpoints are FAILED", undefined, some, ["journal ok", "endpoints ok"], []],
  ["nothing can be written", full, some, ["journal missing"], []],
  ["nothing can be read", undefined, broken, ["journal missing"], ["Error: disk I/O error"]],
])("when %s", async (_, problem, count, expected, logged) => {
  const faults: string[] = [];
  const findings = await checkDeliveries({ journal: { problem }, lanes: { count } }, error =>
    faults.push(String(error)),
  );
  expect(findings.map(({ name, status }) => `${name} ${status}`)).toEqual(expected);
  expect(faults).toEqual(logged);
});

test("says how many are FAILED, and what to look after when nothing can be recorded", async () => {
  const said = async (problem: unknown) =>
    (await checkDeliveries({ journal: { problem }, lanes: { count: some } }, () => undefined)).map(
      ({ detail }) => detail,
    );
  expect(await said(undefined)).toEqual([undefined, expect.stringContaining("1234 FAILED")]);
  expect(await said(full)).toEqual([expect.stringContaining("DATA_DIR")]);
});
