import type { EventLog, EventsToErase, NewEvent, OpenLog } from "../../mixins/event-log/event-log.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { until } from "../support/until.ts";

/** An empty log whose clock the suite moves. */
export interface LogDriver {
  log: EventLog;
  now(): number;
  advance(ms: number): void;
  close(): Promise<void>;
}

const hourMs = 3_600_000;

/** What every driver of the event log does alike. */
export function logSuite(name: string, open: () => Promise<LogDriver>): void {
  describe(`log: ${name}`, () => {
    let driver: LogDriver;
    beforeEach(async () => {
      driver = await open();
    });
    afterEach(() => driver.close());

    const event = (bodyId: string, keyIds: string[], change: Partial<NewEvent> = {}): NewEvent => ({
      bodyId,
      type: "rss.item.created",
      timestamp: new Date(driver.now()).toISOString(),
      data: { source: null, item: { title: `Title of ${bodyId} — ü` } },
      keyIds,
      ...change,
    });
    const append = (bodyId: string, ...keyIds: string[]) => driver.log.append([event(bodyId, keyIds)]);
    const appendMany = (count: number, ...keyIds: string[]) =>
      driver.log.append(Array.from({ length: count }, (_, n) => event(`b${n}`, keyIds)));
    const read = (keyId: string, after = 0, limit = 1000) => driver.log.read(keyId, after, limit);
    const bodies = async (keyId: string, after = 0, limit = 1000) =>
      (await read(keyId, after, limit)).map(({ data }) => String(Object(data.item).title).split(" ")[2]);

    test("events come back as they were, in order, counted per key from 1", async () => {
      expect(await append("a", "k1")).toEqual(["k1"]);
      expect((await append("b", "k1", "k2")).sort()).toEqual(["k1", "k2"]);
      const [first, second] = await read("k1");
      expect(first).toEqual({
        id: expect.stringMatching(/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
        type: "rss.item.created",
        timestamp: new Date(driver.now()).toISOString(),
        seq: 1,
        data: { source: null, item: { title: "Title of a — ü" } },
      });
      expect([second?.seq, (await read("k2"))[0]?.seq]).toEqual([2, 1]);
    });

    test("it says which keys have an event, of those that are asked about, and writes nothing for it", async () => {
      await append("a", "k1", "k2");
      await append("b", "k2", "k3");
      const { holders, bounds } = driver.log;
      const asked = ["k3", "k2", "k4"];
      const answer = await holders.call(driver.log, ["b", "none", "a"], asked);
      expect(answer.map(keyIds => keyIds.sort())).toEqual([["k2", "k3"], [], ["k2"]]);
      expect(await holders.call(driver.log, [], asked)).toEqual([]);
      expect(await holders.call(driver.log, ["a"], [])).toEqual([[]]);
      expect(await bounds.call(driver.log, "k4")).toEqual({ oldest: 0, latest: 0 });
      expect(await append("none", "k4")).toEqual(["k4"]);
    });

    test("no text of an event holds what a receiver could not store", async () => {
      const name = "nul \u0000, bell \u0007, C1 \u0092, half \ud800, none \uffff";
      const kept = "tab \t, lines \r\n and \r, pair \u{1f600}, back\\u0000slash";
      const data = { source: null, item: { [name]: name, kept, list: [name, 1, null, true] } };
      await driver.log.append([event("a", ["k1"], { data })]);
      const clean = "nul , bell , C1 , half \ufffd, none ";
      const item = {
        [clean]: clean,
        kept: "tab \t, lines \n and \n, pair \u{1f600}, back\\u0000slash",
        list: [clean, 1, null, true],
      };
      expect((await read("k1"))[0]?.data).toEqual({ source: null, item });
      const { events } = await driver.log.readWithin("k1", 0, { events: 1, bytes: 1e6 });
      expect(JSON.parse(events[0]?.json ?? "")).toMatchObject({ data: { item } });
    });

    test("an event has one id per key, and ids sort by time", async () => {
      await append("a", "k1", "k2");
      driver.advance(1);
      await append("b", "k1", "k2");
      const ids = [...(await read("k1")), ...(await read("k2"))].map(({ id }) => id);
      expect(new Set(ids).size).toBe(4);
      for (const [earlier, later] of [ids.slice(0, 2), ids.slice(2)])
        expect(String(earlier) < String(later)).toBe(true);
    });

    test("a repeated step adds nothing, also later, and completes what was begun", async () => {
      await append("a", "k1", "k1");
      driver.advance(5000);
      const before = await read("k1");
      expect(await driver.log.append([event("a", ["k1"]), event("a", ["k1"])])).toEqual([]);
      expect(await append("a", "k1", "k2")).toEqual(["k2"]);
      expect(await read("k1")).toEqual(before);
      expect(await bodies("k2")).toEqual(["a"]);
      expect((await read("k2"))[0]?.timestamp).toBe(before[0]?.timestamp);
    });

    test("an event for nobody leaves nothing", async () => {
      expect(await append("a")).toEqual([]);
      await append("a", "k1");
      expect(await bodies("k1")).toEqual(["a"]);
    });

    test("a step is taken at once or not at all", async () => {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const broken = event("b", ["k1"], { data: { source: null, circular } });
      await expect(driver.log.append([event("a", ["k1"]), broken])).rejects.toThrow();
      expect([await read("k1"), await driver.log.bounds("k1")]).toEqual([[], { oldest: 0, latest: 0 }]);
    });

    test("a step whose lease has ended is refused, one whose lease holds is not", async () => {
      const under = (until: number) => driver.log.append([event("a", ["k1"])], until);
      await expect(under(driver.now())).rejects.toMatchObject({ type: "conflict" });
      expect(await driver.log.bounds("k1")).toEqual({ oldest: 0, latest: 0 });
      expect(await under(driver.now() + 1)).toEqual(["k1"]);
    });

    test("reads on from any position, at most as many as asked for", async () => {
      await driver.log.append(["a", "b", "c", "d", "e"].map(id => event(id, ["k1"])));
      expect(await bodies("k1", 0, 2)).toEqual(["a", "b"]);
      expect(await bodies("k1", 2, 2)).toEqual(["c", "d"]);
      expect(await bodies("k1", 4, 2)).toEqual(["e"]);
      expect(await bodies("k1", 5, 2)).toEqual([]);
      expect(await bodies("other")).toEqual([]);
    });

    test("an event's conversation is its channel on a chat server, and its source everywhere else", async () => {
      const source = { id: "src", source: "CHATSERVER", externalId: "e", username: "u", name: "n" } as const;
      const message = { id: "m", channelId: "general" };
      await driver.log.append([
        event("a", ["k1"], { type: "chatserver.message.created", data: { source, message } }),
        event("b", ["k1"], { type: "messenger.message.created", data: { source, message } }),
        event("c", ["k1"], { type: "source.failing", data: { source, reason: "gone" } }),
        event("d", ["k1"]),
      ]);
      const { events } = await driver.log.readWithin("k1", 0, { events: 9, bytes: 9_999 });
      const conversations = events.map(({ conversation }) => conversation);
      expect(conversations).toEqual(["src/general", "src", "src", null]);
      expect(events.map(({ sourceId }) => sourceId)).toEqual(["src", "src", "src", null]);
    });

    test("a portion holds as many as it is to, and whatever their size one at the least", async () => {
      const sized = (id: string, size: number) =>
        event(id, ["k1"], {
          data: { source: null, item: { title: `Title of ${id}`, text: "x".repeat(size) } },
        });
      await driver.log.append([sized("a", 10), sized("b", 10), sized("c", 2000), sized("d", 10)]);
      const portion = async (after: number, events: number, bytes: number) => {
        const { events: found, more } = await driver.log.readWithin("k1", after, { events, bytes });
        const written = (await read("k1", after, found.length)).map(one => {
          const { seq, id, type, timestamp } = one;
          return { seq, id, type, timestamp, conversation: null, sourceId: null, json: JSON.stringify(one) };
        });
        expect(found).toEqual(written);
        return [found.length, more];
      };
      expect(await portion(0, 10, 10_000)).toEqual([4, false]);
      expect(await portion(0, 2, 10_000)).toEqual([2, true]);
      expect(await portion(0, 10, 1000)).toEqual([2, true]);
      expect(await portion(2, 10, 1000)).toEqual([1, true]);
      expect(await portion(3, 10, 1000)).toEqual([1, false]);
      expect(await portion(0, 10, 0)).toEqual([1, true]);
      expect(await portion(4, 10, 1000)).toEqual([0, false]);
    });

    test("many at once: no gaps, and every reader sees the same order", async () => {
      const keyIds = ["k1", "k2", "k3"];
      const appends = Array.from({ length: 200 }, (_, n) => () => append(`b${n}`, ...keyIds.slice(n % 3)));
      await Promise.all(appends.map(untilTaken));
      for (const keyId of keyIds) {
        const seqs = (await read(keyId)).map(({ seq }) => seq);
        expect(seqs).toEqual(Array.from(seqs, (_, n) => n + 1));
      }
      const shared = new Set(await bodies("k3"));
      const ofFirst = (await bodies("k1")).filter(id => shared.has(id));
      expect((await bodies("k3")).filter(id => ofFirst.includes(id))).toEqual(ofFirst);
      expect(await driver.log.bounds("k3")).toEqual({ oldest: 1, latest: 200 });
    });

    test("one event for 1,000 keys", async () => {
      const keyIds = Array.from({ length: 1000 }, (_, n) => `key ${n}`);
      expect((await append("a", ...keyIds)).length).toBe(1000);
      expect((await append("b", ...keyIds.slice(500))).length).toBe(500);
      expect([await bodies("key 0"), await bodies("key 999")]).toEqual([["a"], ["a", "b"]]);
    });

    test("what is older than 72 h goes, to the millisecond; the count continues", async () => {
      await append("a", "k1", "k2");
      driver.advance(hourMs);
      await append("b", "k1");
      expect(await driver.log.prune(new Date(driver.now() + 71 * hourMs))).toBe(0);
      expect(await driver.log.prune(new Date(driver.now() + 71 * hourMs + 1))).toBe(2);
      expect(await bodies("k1")).toEqual(["b"]);
      expect(await driver.log.bounds("k1")).toEqual({ oldest: 2, latest: 2 });
      expect(await driver.log.bounds("k2")).toEqual({ oldest: 2, latest: 1 });
      expect(await driver.log.prune(new Date(driver.now() + 100 * hourMs))).toBe(1);
      await append("c", "k1", "k2");
      expect([(await read("k1"))[0]?.seq, (await read("k2"))[0]?.seq]).toEqual([3, 2]);
    });

    test("a large log is pruned whole", async () => {
      await appendMany(700, "k1", "k2");
      driver.advance(73 * hourMs);
      await append("new", "k1");
      expect(await driver.log.prune(new Date(driver.now()))).toBe(1400);
      expect([await bodies("k1"), await bodies("k2")]).toEqual([["new"], []]);
    });

    test("a clock that falls back leaves no hole when the log expires", async () => {
      await append("a", "k1");
      driver.advance(-hourMs);
      await append("b", "k1");
      driver.advance(2 * hourMs);
      await append("c", "k1");
      await driver.log.prune(new Date(driver.now() - hourMs / 2 + 72 * hourMs));
      expect(await bodies("k1")).toEqual(["c"]);
      const left = await driver.log.bounds("k1");
      expect(left).toEqual({ oldest: 3, latest: 3 });
    });

    test("the position of a time is just before the first event at or after it", async () => {
      const start = driver.now();
      for (const id of ["a", "b", "c", "d"]) {
        await append(id, "k1");
        driver.advance(1000);
      }
      const positions = [-1, 0, 1, 1000, 1001, 2500, 3000, 3001, 9000].map(ms =>
        driver.log.positionAt("k1", new Date(start + ms)),
      );
      expect(await Promise.all(positions)).toEqual([0, 0, 1, 1, 2, 3, 3, 4, 4]);
      await driver.log.prune(new Date(start + 80 * hourMs));
      expect(await driver.log.positionAt("k1", new Date(start))).toBe(4);
      expect(await driver.log.positionAt("none", new Date(start))).toBe(0);
    });

    test("the position of a time that has expired is just before the first event that is kept", async () => {
      const start = driver.now();
      for (const id of ["a", "b", "c"]) {
        await append(id, "k1");
        driver.advance(1000);
      }
      await driver.log.prune(new Date(start + 72 * hourMs + 1500));
      expect(await driver.log.positionAt("k1", new Date(start))).toBe(2);
      expect(await driver.log.positionAt("k1", new Date(start + 3000))).toBe(3);
    });

    test("the keys whose logs grew last come first, and a dropped one no more", async () => {
      expect(await driver.log.grownLast(10)).toEqual([]);
      for (const keyId of ["k1", "k2", "k3", "k1"]) {
        driver.advance(1);
        await append(`${keyId} at ${driver.now()}`, keyId);
      }
      expect(await driver.log.grownLast(10)).toEqual(["k1", "k3", "k2"]);
      expect(await driver.log.grownLast(2)).toEqual(["k1", "k3"]);
      await driver.log.drop("k3");
      expect(await driver.log.grownLast(10)).toEqual(["k1", "k2"]);
    });

    test("a dropped log is gone, others keep what they shared with it", async () => {
      await appendMany(600, "k1");
      await append("shared", "k1", "k2");
      await driver.log.drop("k1");
      await driver.log.drop("k1");
      expect([await read("k1"), await driver.log.bounds("k1")]).toEqual([[], { oldest: 0, latest: 0 }]);
      expect(await bodies("k2")).toEqual(["shared"]);
    });

    const address = 'https://example.com/a"b';
    const ofSource = (id: string, externalId: string) =>
      ({ id, source: "WEB", externalId, username: "u", name: "n" }) as const;
    const wanted: EventsToErase = {
      sourceIds: ["former"],
      text: JSON.stringify(address),
      isOne: ({ source }) => source?.externalId === address,
    };
    const eraseAll = async (dry = false, forMs = 0) => {
      let found = 0;
      for (let cursor: string | null = ""; cursor !== null; ) {
        const slice: { found: number; next: string | null } = await driver.log.erase(wanted, {
          cursor,
          dry,
          forMs,
        });
        found += slice.found;
        cursor = slice.next;
      }
      return found;
    };

    test("an erased event keeps its place and its id in every log, and nothing of what it said", async () => {
      const texts = (n: number) => ({ item: { title: `Said ${n}`, link: address } });
      const sources = [
        ofSource("s", address),
        ofSource("former", "https://example.com/before"),
        ofSource("other", "https://example.com/a"),
        null,
      ];
      const events = Array.from({ length: 1100 }, (_, n) => {
        const data = { source: sources[n % 4] ?? null, ...texts(n) };
        return event(`e${n}`, n % 3 === 0 ? ["k1", "k2"] : ["k1"], { data });
      });
      await driver.log.append(events);
      const before = [await read("k1", 0, 2000), await read("k2", 0, 2000)];
      expect(await eraseAll(true)).toBeGreaterThanOrEqual(550);
      expect([await read("k1", 0, 2000), await read("k2", 0, 2000)]).toEqual(before);
      expect(await eraseAll()).toBeGreaterThanOrEqual(550);
      const erased = before.map(log =>
        log.map(each =>
          each.data.source && each.data.source.id !== "other"
            ? { ...each, type: "event.erased", data: { source: null } }
            : each,
        ),
      );
      expect([await read("k1", 0, 2000), await read("k2", 0, 2000)]).toEqual(erased);
      expect([await eraseAll(), await eraseAll(true, 1e9)]).toEqual([0, 0]);
      const { events: last } = await driver.log.readWithin("k1", 1096, { events: 9, bytes: 1e6 });
      expect(last.map(({ sourceId, conversation }) => [sourceId, conversation])).toEqual([
        [null, null],
        [null, null],
        ["other", "other"],
        [null, null],
      ]);
    });

    test("listeners are notified which logs grew, and not when none did", async () => {
      const notified: string[][] = [];
      const stop = driver.log.onAppended(keyIds => notified.push([...keyIds].sort()));
      await append("a", "k2", "k1");
      await append("a", "k1");
      stop();
      await append("b", "k1");
      expect(notified).toEqual([["k1", "k2"]]);
    });
  });
}

/** Segments of four events, each once there are four: fewer expire before they are sealed. */
export const sealsFour = { events: 4, bytes: 1_000_000, spanMs: 73 * hourMs };

/** A log with no hot time, which is sealed before each read: its reads cross the seam wherever there are four events. */
export function sealingAtOnce(log: OpenLog, now: () => number): OpenLog {
  const sealed = async () => void (await log.prune(new Date(now())));
  return {
    ...log,
    read: (...args) => sealed().then(() => log.read(...args)),
    readWithin: (...args) => sealed().then(() => log.readWithin(...args)),
    bounds: (...args) => sealed().then(() => log.bounds(...args)),
    positionAt: (...args) => sealed().then(() => log.positionAt(...args)),
  };
}

/** Repeats a step as those do to whom it is refused because a server is away, or busy with others. */
export async function untilTaken(step: () => Promise<unknown>): Promise<void> {
  await until("the step is taken", () =>
    step().then(
      () => true,
      error => (codeOf(error) === "overloaded" ? false : Promise.reject(error)),
    ),
  );
}
