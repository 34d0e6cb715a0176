import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Wire } from "../../../../services/api/streams/event-stream.ts";
import {
  EventStream,
  type StreamContext,
  streamDefaults,
} from "../../../../services/api/streams/event-stream.ts";
import type { OutgoingEvent } from "../../../../services/api/streams/outgoing-event.ts";
import type { Ending } from "../../../../services/api/streams/protocol.ts";
import { Registry } from "../../../../services/api/streams/registry.ts";
import { SharedReaders } from "../../../../services/api/streams/shared-reader.ts";
import { MemoryLog, someEvents } from "../../../fakes/memory-log.ts";
import { seeded } from "../../../faults/random.ts";
import { callersOf } from "../../../support/callers.ts";
import { until } from "../../../support/until.ts";

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** A connection whose client takes as much as it has room for. */
class Client implements Wire {
  readonly events: OutgoingEvent[] = [];
  readonly stream: EventStream;
  room = Number.POSITIVE_INFINITY;
  ending: Ending | undefined;

  constructor(context: StreamContext) {
    this.stream = new EventStream(context, "a", this);
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq);
  }

  hello(): void {
    // Says nothing of events.
  }

  event(event: OutgoingEvent): boolean {
    this.events.push(event);
    this.room -= 1;
    return this.room > 0;
  }

  together(work: () => void): void {
    work();
  }

  end(ending: Ending): void {
    this.ending = ending;
  }

  /** It reads what waits. */
  drain(room = Number.POSITIVE_INFINITY): void {
    this.room = room;
    this.stream.writable();
  }
}

const worlds: { clients: Client[] }[] = [];

function setUp() {
  const log = new MemoryLog();
  const registry = new Registry(
    keyIds => callersOf(keyIds),
    () => undefined,
  );
  const shared = new SharedReaders(log, registry);
  const errors: unknown[] = [];
  const context: StreamContext = {
    ...{ log, registry, shared, options: streamDefaults },
    tagged: undefined as never,
    onError: error => errors.push(error),
  };
  log.onAppended(keyIds => registry.wake(keyIds));
  const clients: Client[] = [];
  worlds.push({ clients });
  const open = async (after?: number, meaningful = false) => {
    const client = new Client(context);
    clients.push(client);
    const bounds = await log.bounds("a");
    client.stream.start(bounds, after ?? bounds.latest, { meaningful });
    return client;
  };
  const settle = async () => {
    for (let turns = 0; turns < 5; turns += 1) await yieldToLoop();
  };
  return { log, shared, registry, errors, clients, open, settle };
}

afterEach(() => {
  for (const { clients } of worlds.splice(0)) for (const { stream } of clients) stream.close();
});

test("an event is read once and made into bytes once for all connections of a key", async () => {
  const { log, open, settle, clients } = setUp();
  for (let n = 0; n < 10; n += 1) await open();
  await settle();
  const { reads } = log;
  await log.append(someEvents("a", 1, 1));
  await until("all have it", () => clients.every(({ seqs }) => seqs.length === 1));
  expect(log.reads).toBe(reads + 1);
  const [first, ...others] = clients.map(({ events }) => events[0]?.frame);
  expect(first).toBeInstanceOf(Buffer);
  expect(others.every(frame => frame === first)).toBe(true);
});

test("one that resumes reads by itself until it has caught up, and then joins", async () => {
  const { log, shared, open, settle } = setUp();
  const live = await open();
  await log.append(someEvents("a", 1, 200));
  const resumed = await open(50);
  await until("it has caught up", () => resumed.seqs.length === 150);
  await settle();
  const { reads } = log;
  await log.append(someEvents("a", 201, 1));
  await until("both have it", () => [live, resumed].every(({ seqs }) => seqs.at(-1) === 201));
  expect(log.reads).toBe(reads + 1);
  expect(resumed.seqs).toEqual(numbers(51, 201));
  expect(live.seqs).toEqual(numbers(1, 201));
  expect(shared.size).toBe(1);
});

test("a slow one holds nobody up, reads by itself when it can, and joins again", async () => {
  const { log, open, settle } = setUp();
  const [fast, slow] = [await open(), await open()];
  slow.room = 3;
  for (let seq = 1; seq <= 20; seq += 1) await log.append(someEvents("a", seq, 1));
  await until("the fast one has all", () => fast.seqs.length === 20);
  expect(slow.seqs).toEqual([1, 2, 3]);
  slow.drain();
  await until("the slow one has all", () => slow.seqs.length === 20);
  await settle();
  const { reads } = log;
  await log.append(someEvents("a", 21, 1));
  await until("both have it", () => [fast, slow].every(({ seqs }) => seqs.length === 21));
  expect(log.reads).toBe(reads + 1);
  expect(slow.seqs).toEqual(numbers(1, 21));
});

test("an append in the midst of each step of a resume is neither lost nor repeated", async () => {
  for (let step = 1; step <= 4; step += 1) {
    const { log, open } = setUp();
    const live = await open();
    await log.append(someEvents("a", 1, 5));
    let turn = 0;
    let latest = 5;
    const append = async () => {
      latest += 1;
      await log.append(someEvents("a", latest, 1));
    };
    log.duringRead = async () => {
      turn += 1;
      if (turn === step) await append();
      await yieldToLoop();
    };
    const resumed = await open(2);
    await append();
    await until("both are up to date", () => [live, resumed].every(({ seqs }) => seqs.at(-1) === latest));
    expect(live.seqs).toEqual(numbers(1, live.seqs.length));
    expect(resumed.seqs).toEqual(numbers(3, 2 + resumed.seqs.length));
  }
});

test("of two that share a reader, one may leave out what a judge has dismissed", async () => {
  const { log, open } = setUp();
  const [all, chosen] = [await open(), await open(undefined, true)];
  const [event] = someEvents("a", 1, 1);
  const judgement = { meaningful: false, reason: "Nothing new.", at: "2025-03-25T09:00:00.000Z" };
  await log.append([{ ...event, data: { ...event?.data, judgement } } as never]);
  await log.append(someEvents("a", 2, 1));
  await until("both are up to date", () => [all, chosen].every(({ seqs }) => seqs.at(-1) === 2));
  expect([all.seqs, chosen.seqs]).toEqual([[1, 2], [2]]);
});

test("the reader of a key ends with its last connection", async () => {
  const { log, shared, open, settle } = setUp();
  const [one, other] = [await open(), await open()];
  one.stream.close();
  expect(shared.size).toBe(1);
  other.stream.close();
  expect(shared.size).toBe(0);
  const { reads } = log;
  await log.append(someEvents("a", 1, 1));
  await settle();
  expect(log.reads).toBe(reads);
});

test("a log that breaks ends each connection with the cause, and one that expired says where it begins", async () => {
  const broken = setUp();
  const both = [await broken.open(), await broken.open()];
  await broken.settle();
  broken.log.duringRead = () => Promise.reject(new Error("no disk"));
  await broken.log.append(someEvents("a", 1, 1));
  await until("both have ended", () => both.every(({ ending }) => ending?.code === 1011));
  expect(broken.errors).toHaveLength(2);
  expect(broken.shared.size).toBe(0);

  const expired = setUp();
  const late = await expired.open();
  await expired.settle();
  expired.log.muted = true;
  await expired.log.append(someEvents("a", 1, 9));
  expired.log.expireBefore("a", 5);
  late.stream.wake();
  await until("it has ended", () => late.ending !== undefined);
  expect(late.ending).toMatchObject({ code: 4410, error: { oldest_seq: 5 } });
});

test("more than get an event in one turn all get each, also those that leave or come meanwhile", async () => {
  const { log, open, clients } = setUp();
  for (let n = 0; n < 300; n += 1) await open();
  await log.append(someEvents("a", 1, 1));
  clients[200]?.stream.close();
  const late = await open();
  await log.append(someEvents("a", 2, 1));
  const stays = clients.filter((client, at) => at !== 200 && client !== late);
  await until("all have both", () => stays.every(({ seqs }) => seqs.length === 2));
  await until("the late one has the second", () => late.seqs.at(-1) === 2);
  expect(stays.every(({ seqs }) => seqs.join() === "1,2")).toBe(true);
});

test("of a log that breaks, some at a time read by themselves, and none that has left", async () => {
  const { log, shared, registry } = setUp();
  const told: number[] = [];
  const followers = numbers(0, 199).map(n => ({
    ...{ keyId: "a", position: 0, follow: () => undefined },
    left: () => void told.push(n),
  }));
  const [reader] = followers.map(follower => shared.join(follower));
  log.duringRead = () => Promise.reject(new Error("no disk"));
  registry.wake(["a"]);
  const inTurns: number[] = [];
  for (let before = 0; before < 199; before = told.length) {
    await yieldToLoop();
    inTurns.push(told.length - before);
    if (told.length > 0) reader?.leave(followers[150] as (typeof followers)[number]);
  }
  expect(Math.max(...inTurns)).toBe(64);
  expect(told).not.toContain(150);
  expect(shared.size).toBe(0);
});

test("nothing is lost, repeated or out of order, thousands of times, whoever is slow, leaves and comes back", async () => {
  const { log, open } = setUp();
  const random = seeded(11);
  const total = 3000;
  const heard: { client: Client; from: number }[] = [];
  log.duringRead = async () => {
    for (let turns = Math.floor(random() * 3); turns > 0; turns -= 1) await yieldToLoop();
  };
  for (let n = 0; n < 8; n += 1) heard.push({ client: await open(0), from: 1 });
  for (let next = 1; next <= total; ) {
    const count = Math.min(1 + Math.floor(random() * 9), total - next + 1);
    await log.append(someEvents("a", next, count));
    next += count;
    const at = Math.floor(random() * heard.length);
    const { client, from } = heard[at] as (typeof heard)[number];
    if (random() < 0.3) client.drain(Math.floor(random() * 5));
    else if (random() < 0.5) client.drain();
    else if (random() < 0.2) {
      client.stream.close();
      const last = client.seqs.at(-1) ?? from - 1;
      expect(client.seqs).toEqual(numbers(from, last));
      heard[at] = { client: await open(last), from: last + 1 };
    }
    if (random() < 0.5) await yieldToLoop();
  }
  for (const { client } of heard) client.drain();
  await until("all have all", () =>
    heard.every(({ client, from }) => client.seqs.length === total - from + 1),
  );
  for (const { client, from } of heard) expect(client.seqs).toEqual(numbers(from, total));
});
