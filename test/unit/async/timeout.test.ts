import { getEventListeners } from "node:events";
import { jest } from "@jest/globals";
import { allEnded, settledWithin, untilAborted, within, withTimeout } from "../../../mixins/async/timeout.ts";

const neverAborted = new AbortController().signal;
const hangs = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("work that ends with its signal", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  test("an answer leaves no timer", async () => {
    expect(await withTimeout(1000, neverAborted, async () => "answer")).toBe("answer");
  });

  test("an error leaves none", async () => {
    await expect(withTimeout(1000, neverAborted, () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
  });

  test("what the work has left over is ended when it has settled", async () => {
    let left: Promise<unknown> | undefined;
    const answer = withTimeout(1000, neverAborted, async signal => {
      left = hangs(signal).catch((error: Error) => error);
      return "answer";
    });
    expect(await answer).toBe("answer");
    expect(await left).toMatchObject({ name: "AbortError" });
  });

  test("what takes longer is ended", async () => {
    const late = withTimeout(1000, neverAborted, hangs).catch((error: Error) => error);
    jest.advanceTimersByTime(1000);
    expect(await late).toMatchObject({ name: "TimeoutError", message: "no answer in 1000 ms" });
  });

  test("work that the caller ends rejects with the caller's reason", async () => {
    const ending = new AbortController();
    const ended = withTimeout(1000, ending.signal, hangs).catch((error: Error) => error.message);
    ending.abort(new Error("enough"));
    expect(await ended).toBe("enough");
  });
});

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

describe("a result within a time", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
  const forever = new Promise<never>(() => undefined);

  test("is the work's, and leaves no timer", async () => {
    expect(await within(1000, Promise.resolve("answer"), () => "late")).toBe("answer");
    await expect(within(1000, Promise.reject(new Error("no")), () => "late")).rejects.toThrow("no");
  });

  test("is the given one when the time is over first", async () => {
    const late = within(1000, forever, () => "late");
    await jest.advanceTimersByTimeAsync(1000);
    expect(await late).toBe("late");
  });

  test("may be an error", async () => {
    const late = within(1000, forever, () => {
      throw new Error("too late");
    }).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await late).toBe("too late");
  });

  test("of several is waited for whether they fail or not, and not for ever", async () => {
    await settledWithin(1000, [Promise.resolve(), Promise.reject(new Error("no"))]);
    const waited = settledWithin(1000, [forever]);
    await jest.advanceTimersByTimeAsync(1000);
    await waited;
  });
});

describe("allEnded", () => {
  test("answers in the order of the list", async () => {
    expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
  });

  test("an error waits until the others have ended", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let hasRejected = false;
    const all = allEnded([Promise.reject(new Error("first")), promise, Promise.reject(new Error("last"))]);
    const rejection = expect(
      all.finally(() => {
        hasRejected = true;
      }),
    ).rejects.toThrow("first");
    await new Promise(setImmediate);
    expect(hasRejected).toBe(false);
    resolve();
    await rejection;
  });
});
