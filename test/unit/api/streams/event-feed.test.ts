import { setTimeout as delay } from "node:timers/promises";
import { EventFeed, type FeedLog } from "../../../../services/api/streams/event-feed.ts";
import { MemoryLog, someEvents } from "../../../fakes/memory-log.ts";
import { until } from "../../../support/until.ts";

let log: MemoryLog;
let failures: unknown[];
let feed: EventFeed;

beforeEach(() => {
  log = new MemoryLog();
  failures = [];
  feed = new EventFeed(log, error => failures.push(error));
});

function following(keyId?: string) {
  const seen: string[] = [];
  const take = (of: string, { seq }: { seq: number }) => void seen.push(`${of}-${seq}`);
  return { seen, end: feed.follow({ ...(keyId !== undefined && { keyId }), take }) };
}

test("what is appended from then on arrives once, of every key, in the order of its log", async () => {
  await log.append(someEvents("a", 1, 3));
  // The position is found by time, which counts whole milliseconds.
  await delay(2);
  const { seen, end } = following();
  await Promise.all([log.append(someEvents("a", 4, 2)), log.append(someEvents("b", 1, 100))]);
  await log.append(someEvents("a", 6, 1));
  await until("all arrived", () => seen.length === 103);
  end();
  expect(seen.filter(event => event.startsWith("a"))).toEqual(["a-4", "a-5", "a-6"]);
  const ofB = Array.from({ length: 100 }, (_, at) => `b-${at + 1}`);
  expect(seen.filter(event => event.startsWith("b"))).toEqual(ofB);
});

test("a log is read once for all who follow, and not while nobody does", async () => {
  await log.append(someEvents("a", 1, 1));
  expect(log.reads).toBe(0);
  const [one, other] = [following(), following()];
  await log.append(someEvents("b", 1, 1));
  await until("both have it", () => one.seen.length + other.seen.length === 2);
  expect(log.reads).toBe(1);
  one.end();
  await log.append(someEvents("b", 2, 1));
  await until("the other has the next", () => other.seen.length === 2);
  expect(one.seen).toEqual(["b-1"]);
  other.end();
  const { reads } = log;
  await log.append(someEvents("b", 3, 1));
  expect(log.reads).toBe(reads);
});

test("for one key only its log is read", async () => {
  const { seen, end } = following("b");
  await log.append([...someEvents("a", 1, 1), ...someEvents("b", 1, 1)]);
  await until("it arrived", () => seen.length === 1);
  end();
  expect([seen, log.reads]).toEqual([["b-1"], 1]);
});

test("a log that cannot be read is tried again, and nothing is lost", async () => {
  const { seen, end } = following();
  const outage = new Error("away");
  log.duringRead = async () => {
    log.duringRead = async () => undefined;
    throw outage;
  };
  await log.append(someEvents("a", 1, 2));
  await until("they arrived", () => seen.length === 2);
  end();
  expect([seen, failures]).toEqual([["a-1", "a-2"], [outage]]);
});

test("after a gap the log goes on with what is kept", async () => {
  const { seen, end } = following();
  await log.append(someEvents("a", 1, 1));
  await until("the first arrived", () => seen.length === 1);
  const muted: FeedLog & { muted: boolean } = log;
  muted.muted = true;
  await log.append(someEvents("a", 2, 3));
  log.expireBefore("a", 4);
  muted.muted = false;
  await log.append(someEvents("a", 5, 1));
  await until("the last arrived", () => seen.at(-1) === "a-5");
  end();
  expect(seen).toEqual(["a-1", "a-4", "a-5"]);
});
