import { getEventListeners } from "node:events";
import { untilAborted } from "../../../mixins/deadline/until-aborted.ts";

const never = new Promise<never>(() => undefined);

test.each<[string, Promise<unknown>, AbortSignal, PromiseSettledResult<unknown>]>([
  ["work", Promise.resolve(1), new AbortController().signal, { status: "fulfilled", value: 1 }],
  ["work", Promise.reject("wrong"), new AbortController().signal, { status: "rejected", reason: "wrong" }],
  ["signal", never, AbortSignal.abort("late"), { status: "rejected", reason: "late" }],
  ["signal", Promise.reject("wrong"), AbortSignal.abort("late"), { status: "rejected", reason: "late" }],
])("the %s decides", async (_, work, signal, expected) => {
  expect(await Promise.allSettled([untilAborted(work, signal)])).toEqual([expected]);
});

test("a signal that comes later ends the waiting, and one that never comes is not listened to any more", async () => {
  const late = new AbortController();
  const waiting = untilAborted(never, late.signal);
  late.abort("late");
  await expect(waiting).rejects.toBe("late");
  const idle = new AbortController();
  await untilAborted(Promise.resolve(), idle.signal);
  expect(getEventListeners(idle.signal, "abort")).toEqual([]);
});
