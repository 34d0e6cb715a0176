import { setImmediate as yieldToLoop } from "node:timers/promises";
import { Turns } from "../../../services/webhook-dispatcher/sending/send.ts";

const most = 16;

test("requests that come together begin in order, sixteen in a turn", async () => {
  const turns = new Turns();
  const begun: number[] = [];
  for (let n = 0; n < 40; n += 1) turns.begin(() => begun.push(n));
  const counts = [begun.length];
  for (let turn = 0; turn < 4; turn += 1) {
    await yieldToLoop();
    counts.push(begun.length);
  }
  expect(counts).toEqual([most, 2 * most, 40, 40, 40]);
  expect(begun).toEqual(Array.from({ length: 40 }, (_, n) => n));
});

test("a lone request begins at once, and one that comes while others wait begins after them", async () => {
  const turns = new Turns();
  const begun: string[] = [];
  turns.begin(() => begun.push("lone"));
  expect(begun).toEqual(["lone"]);
  for (let n = 1; n < most + 2; n += 1) turns.begin(() => begun.push("first"));
  turns.begin(() => begun.push("last"));
  expect(begun).toHaveLength(most);
  await yieldToLoop();
  expect(begun).toHaveLength(most + 3);
  expect(begun.at(-1)).toBe("last");
  await yieldToLoop();
  turns.begin(() => begun.push("later"));
  expect(begun.at(-1)).toBe("later");
});
