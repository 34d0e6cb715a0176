import { jest } from "@jest/globals";
import { within } from "../../../mixins/deadline/within.ts";

const never = new AbortController().signal;
const hangs = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("within a time", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  test("an answer leaves no timer", async () => {
    expect(await within(1000, never, async () => "answer")).toBe("answer");
  });

  test("an error leaves none", async () => {
    await expect(within(1000, never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  test("what takes longer is ended", async () => {
    const late = within(1000, never, hangs).catch((error: Error) => error);
    jest.advanceTimersByTime(1000);
    expect(await late).toMatchObject({ name: "TimeoutError", message: "no answer in 1000 ms" });
  });

  test("so is what the caller ends", async () => {
    const ending = new AbortController();
    const ended = within(1000, ending.signal, hangs).catch((error: Error) => error.message);
    ending.abort(new Error("enough"));
    expect(await ended).toBe("enough");
  });
});
