import { setTimeout as delay } from "node:timers/promises";
import type { OpenHostPoliteness } from "../../mixins/coordination/host-politeness/host-politeness.ts";
import { until } from "../support/until.ts";

/** The drivers of one test: each `open` is another process, where a driver has more than one. */
export interface HostPolitenessPlace {
  open(): OpenHostPoliteness;
  /** How many stand in line for a host; undefined where they do from their call on. */
  waiting?(host: string): Promise<number>;
  /** Whether those that are opened know of one another. */
  isShared: boolean;
}

const never = new AbortController().signal;

/** What every driver of host politeness does. */
export function hostPolitenessSuite(name: string, make: () => HostPolitenessPlace): void {
  describe(`host politeness: ${name}`, () => {
    let place: HostPolitenessPlace;
    let all: OpenHostPoliteness[];
    const open = () => {
      const politeness = place.isShared || all.length === 0 ? place.open() : (all[0] as OpenHostPoliteness);
      all.push(politeness);
      return politeness;
    };

    beforeEach(() => {
      [place, all] = [make(), []];
    });
    afterEach(() => Promise.all(all.map(politeness => politeness.close())));

    test("never more than so many visits to a host, of all visitors, and every one has its turn", async () => {
      const processes = [open(), open(), open()];
      let [now, most, done] = [0, 0, 0];
      const request = async (politeness: OpenHostPoliteness) => {
        const release = await politeness.acquire("a.test", { width: 2, spacingMs: 0 }, never);
        now += 1;
        most = Math.max(most, now);
        await delay(5);
        now -= 1;
        done += 1;
        release();
      };
      await Promise.all(
        Array.from({ length: 18 }, (_, n) => request(processes[n % 3] as OpenHostPoliteness)),
      );
      expect([most, done]).toEqual([2, 18]);
    });

    test("hosts have nothing to do with one another", async () => {
      const politeness = open();
      for (const host of ["a.test", "b.test", "a.test:8080"])
        await politeness.acquire(host, { width: 1, spacingMs: 0 }, never);
    });

    test("who waits comes before who has just left, whichever process each is in", async () => {
      const [busy, patient] = [open(), open()];
      const limits = { width: 1, spacingMs: 0 };
      const order: string[] = [];
      let release = await busy.acquire("a.test", limits, never);
      const waiting = patient.acquire("a.test", limits, never).then(left => {
        order.push("patient");
        left();
      });
      await until("the patient one waits", async () => (await place.waiting?.("a.test")) !== 0);
      release();
      release = await busy.acquire("a.test", limits, never);
      order.push("busy");
      release();
      await waiting;
      expect(order).toEqual(["patient", "busy"]);
    });

    test("visits are spaced, and none begins while the host is left alone", async () => {
      const [one, other] = [open(), open()];
      const limits = { width: 5, spacingMs: 150 };
      const told = [performance.now()];
      for (const politeness of [one, other, one]) {
        (await politeness.acquire("a.test", limits, never))();
        told.push(performance.now());
      }
      const leftAt = performance.now();
      await other.backOff("a.test", 300);
      await one.backOff("a.test", 10);
      (await one.acquire("a.test", limits, never))();
      const again = performance.now();
      // What is told late on a busy machine is late for this clock alone; one of whole milliseconds may be one short.
      const [began = 0, , second = 0, third = 0] = told;
      expect(second - began).toBeGreaterThan(148);
      expect(third - began).toBeGreaterThan(297);
      expect(again - leftAt).toBeGreaterThan(298);
    });

    test("a host that has asked for pauses is asked at a pace of its own, which grows again", async () => {
      const [one, other] = [open(), open()];
      const limits = { width: 9, spacingMs: 0 };
      const askedAt = performance.now();
      // Two requests were under way: one pause.
      await one.backOff("a.test", 100);
      await other.backOff("a.test", 100);
      const began: number[] = [];
      for (const politeness of [one, other, one, other]) {
        (await politeness.acquire("a.test", limits, never))();
        began.push(performance.now());
      }
      // 100 ms, then 200, and 0.9 of that with each request; whole milliseconds may be one short. All are counted from the
      // question, since an answer that a busy machine tells late makes the next gap short.
      const due = [100, 300, 480, 642];
      expect(began.map((at, n) => at - askedAt > (due[n] ?? 0) - 3 * (n + 1))).toEqual(due.map(() => true));
      const pausedAt = performance.now();
      await one.backOff("a.test", 300);
      for (const _ of [1, 2]) (await one.acquire("a.test", limits, never))();
      expect(performance.now() - pausedAt).toBeGreaterThan(300 + 250);
    });

    test("who gives up waiting holds up nobody", async () => {
      const [one, other] = [open(), open()];
      const limits = { width: 1, spacingMs: 0 };
      const release = await one.acquire("a.test", limits, never);
      const leaving = new AbortController();
      const gone = other.acquire("a.test", limits, leaving.signal);
      const next = one.acquire("a.test", limits, never);
      leaving.abort(new Error("gone"));
      await expect(gone).rejects.toThrow("gone");
      release();
      release();
      (await next)();
      await expect(one.acquire("a.test", limits, leaving.signal)).rejects.toThrow("gone");
    });

    test("what waits ends with the close", async () => {
      const politeness = open();
      await politeness.backOff("a.test", 60_000);
      let ended: unknown;
      void politeness.acquire("a.test", { width: 1, spacingMs: 0 }, never).catch(error => {
        ended = error;
      });
      await politeness.close();
      await until("it has ended", () => ended instanceof Error);
    });
  });
}
