import { setImmediate as yieldToLoop } from "node:timers/promises";
import { TickPacer } from "../../../services/webhook-dispatcher/sending/send.ts";

const most = 16;

test("requests that come together begin in order, sixteen in a tick", async () => {
  const pacer = new TickPacer();
  const begun: number[] = [];
  for (let n = 0; n < 40; n += 1) pacer.begin(() => begun.push(n));
  const counts = [begun.length];
  for (let tick = 0; tick < 4; tick += 1) {
    await yieldToLoop();
    counts.push(begun.length);
  }
  expect(counts).toEqual([most, 2 * most, 40, 40, 40]);
  expect(begun).toEqual(Array.from({ length: 40 }, (_, n) => n));
});

test("a lone request begins at once, and one that comes while others wait begins after them", async () => {
  const pacer = new TickPacer();
  const begun: string[] = [];
  pacer.begin(() => begun.push("lone"));
  expect(begun).toEqual(["lone"]);
  for (let n = 1; n < most + 2; n += 1) pacer.begin(() => begun.push("first"));
  pacer.begin(() => begun.push("last"));
  expect(begun).toHaveLength(most);
  await yieldToLoop();
  expect(begun).toHaveLength(most + 3);
  expect(begun.at(-1)).toBe("last");
  await yieldToLoop();
  pacer.begin(() => begun.push("later"));
  expect(begun.at(-1)).toBe("later");
});
