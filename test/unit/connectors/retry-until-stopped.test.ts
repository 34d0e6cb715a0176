import { nextWait, retryUntilStopped } from "../../../services/connectors/social/retry-until-stopped.ts";
import { refusal } from "../../../services/connectors/social/social-connector.ts";

const tools = { now: Date.now, random: () => 1, logger: console, reconnectMs: 1 };
const never = new AbortController().signal;

/** What comes of the attempts in turn; the one after the last is done. */
async function outcome(...attempts: ((connected: () => void) => void)[]) {
  const lost: string[] = [];
  const left = [...attempts];
  const attempt = async (connected: () => void) => {
    left.shift()?.(connected);
    return "done";
  };
  const end = await retryUntilStopped(attempt, ({ message }) => lost.push(message), tools, never).catch(
    (error: Error) => error.message,
  );
  return [...lost, end];
}

const failWith = (message: string) => () => {
  throw new Error(message);
};
const failAfterConnecting = (message: string) => (connected: () => void) => {
  connected();
  throw new Error(message);
};

test("reports the first error, and the first one after each connection", async () => {
  expect(await outcome(failWith("a"), failWith("b"), failAfterConnecting("c"), failWith("d"))).toEqual([
    "a",
    "c",
    "done",
  ]);
});

test("the wait is short again after a connection of a minute, however often", async () => {
  let [now, attempts] = [0, 0];
  const attempt = async (connected: () => void) => {
    connected();
    // It may stand again and again within one attempt.
    now += 30_000;
    connected();
    now += 30_000;
    attempts += 1;
    if (attempts < 30) throw new Error("lost");
    return attempts;
  };
  const clocked = { ...tools, now: () => now };
  expect(await retryUntilStopped(attempt, () => undefined, clocked, never)).toBe(30);
});

test("a refusal is the end", async () => {
  const refuse = () => {
    throw refusal("No.");
  };
  expect(await outcome(failWith("a"), refuse, failWith("b"))).toEqual(["a", "No."]);
});

test("the signal is the end", async () => {
  const ending = new AbortController();
  const attempt = async () => {
    ending.abort();
    throw new Error("too late");
  };
  const told: Error[] = [];
  expect(await retryUntilStopped(attempt, error => told.push(error), tools, ending.signal)).toBeUndefined();
  expect(told).toEqual([]);
});

test("also during a wait", async () => {
  const ending = new AbortController();
  const patient = { ...tools, reconnectMs: 1_000_000 };
  const attempt = () => Promise.reject(new Error("lost"));
  expect(await retryUntilStopped(attempt, () => ending.abort(), patient, ending.signal)).toBeUndefined();
});

test.each([
  [0, Number.NEGATIVE_INFINITY, 500, 500],
  [500, Number.NEGATIVE_INFINITY, 500, 1000],
  [1000, 2000, 500, 2000],
  [1000, 59_999, 500, 2000],
  [1000, 60_000, 500, 500],
  [40_000, 0, 500, 60_000],
  [60_000, 0, 500, 60_000],
])(
  "after a wait of %d ms and %d ms of standing, from %d ms: %d ms",
  (previous, stood, reconnect, expected) => {
    expect(nextWait(previous, stood, reconnect)).toBe(expected);
  },
);
