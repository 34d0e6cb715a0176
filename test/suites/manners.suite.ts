import { setTimeout as delay } from "node:timers/promises";
import type { OpenManners } from "../../mixins/manners/manners.ts";
import { until } from "../support/until.ts";

/** The drivers of one test: each `open` is another process, where a driver has more than one. */
export interface MannersPlace {
  open(): OpenManners;
  /** Whether those that are opened know of one another. */
  isShared: boolean;
}

const never = new AbortController().signal;

/** What every driver of the manners does. */
export function mannersSuite(name: string, make: () => MannersPlace): void {
  describe(`manners: ${name}`, () => {
    let place: MannersPlace;
    let all: OpenManners[];
    const open = () => {
      const manners = place.isShared || all.length === 0 ? place.open() : (all[0] as OpenManners);
      all.push(manners);
      return manners;
    };

    beforeEach(() => {
      [place, all] = [make(), []];
    });
    afterEach(() => Promise.all(all.map(manners => manners.close())));

    test("never more than so many visits to a host, of all visitors, and every one has its turn", async () => {
      const houses = [open(), open(), open()];
      let [now, most, done] = [0, 0, 0];
      const visit = async (manners: OpenManners) => {
        const leave = await manners.enter("a.test", { width: 2, spacingMs: 0 }, never);
        now += 1;
        most = Math.max(most, now);
        await delay(5);
        now -= 1;
        done += 1;
        leave();
      };
      await Promise.all(Array.from({ length: 18 }, (_, n) => visit(houses[n % 3] as OpenManners)));
      expect([most, done]).toEqual([2, 18]);
    });

    test("hosts have nothing to do with one another", async () => {
      const manners = open();
      for (const host of ["a.test", "b.test", "a.test:8080"])
        await manners.enter(host, { width: 1, spacingMs: 0 }, never);
    });

    test("who waits comes before who has just left, whichever process each is in", async () => {
      const [busy, patient] = [open(), open()];
      const courtesy = { width: 1, spacingMs: 0 };
      const order: string[] = [];
      let leave = await busy.enter("a.test", courtesy, never);
      const waiting = patient.enter("a.test", courtesy, never).then(left => {
        order.push("patient");
        left();
      });
      await delay(100);
      leave();
      leave = await busy.enter("a.test", courtesy, never);
      order.push("busy");
      leave();
      await waiting;
      expect(order).toEqual(["patient", "busy"]);
    });

    test("visits are spaced, and none begins while the host is left alone", async () => {
      const [one, other] = [open(), open()];
      const courtesy = { width: 5, spacingMs: 150 };
      const told = [performance.now()];
      for (const manners of [one, other, one]) {
        (await manners.enter("a.test", courtesy, never))();
        told.push(performance.now());
      }
      const leftAt = performance.now();
      await other.leaveAlone("a.test", 300);
      await one.leaveAlone("a.test", 10);
      (await one.enter("a.test", courtesy, never))();
      const again = performance.now();
      // What is told late on a busy machine is late for this clock alone; one of whole milliseconds may be one short.
      const [began = 0, , second = 0, third = 0] = told;
      expect(second - began).toBeGreaterThan(148);
      expect(third - began).toBeGreaterThan(297);
      expect(again - leftAt).toBeGreaterThan(298);
    });

    test("who gives up waiting holds up nobody", async () => {
      const [one, other] = [open(), open()];
      const courtesy = { width: 1, spacingMs: 0 };
      const leave = await one.enter("a.test", courtesy, never);
      const leaving = new AbortController();
      const gone = other.enter("a.test", courtesy, leaving.signal);
      const next = one.enter("a.test", courtesy, never);
      leaving.abort(new Error("gone"));
      await expect(gone).rejects.toThrow("gone");
      leave();
      leave();
      (await next)();
      await expect(one.enter("a.test", courtesy, leaving.signal)).rejects.toThrow("gone");
    });

    test("what waits ends with the close", async () => {
      const manners = open();
      await manners.leaveAlone("a.test", 60_000);
      let ended: unknown;
      void manners.enter("a.test", { width: 1, spacingMs: 0 }, never).catch(error => {
        ended = error;
      });
      await manners.close();
      await until("it has ended", () => ended instanceof Error);
    });
  });
}
