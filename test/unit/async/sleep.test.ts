import { getEventListeners } from "node:events";
import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";

const dayMs = 86_400_000;

test("a signal ends the sleep without an error", async () => {
  const ending = new AbortController();
  const slept = sleepUntilAborted(dayMs, ending.signal);
  ending.abort(new Error("enough"));
  await expect(slept).resolves.toBeUndefined();
});

test("nobody sleeps once the signal has fired", async () => {
  await expect(sleepUntilAborted(dayMs, AbortSignal.abort())).resolves.toBeUndefined();
});

test("a sleep that is over listens to the signal no more", async () => {
  const { signal } = new AbortController();
  await sleepUntilAborted(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
