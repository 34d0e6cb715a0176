import type { Lease, OpenLeases, ShareWatch } from "../../mixins/coordination/leases/lease.ts";
import { until } from "../support/until.ts";

/** A place of its own for each test. */
export interface LeaseDriver {
  /** As another node of the same installation would. */
  open(): OpenLeases;
  close(): Promise<void>;
}

/** A member of a pool and what it holds. */
export function member(drained: () => Promise<void> = async () => undefined) {
  const held = new Map<number, Lease>();
  const on: ShareWatch = {
    gained: (shard, lease) => held.set(shard, lease),
    lost: async shard => {
      await drained();
      held.delete(shard);
    },
  };
  return { held, on, shards: () => [...held.keys()].sort((a, b) => a - b) };
}

/** What every driver of the leases does alike. */
export function leaseSuite(name: string, make: () => Promise<LeaseDriver>): void {
  describe(`leases: ${name}`, () => {
    let driver: LeaseDriver;
    let one: OpenLeases;
    let two: OpenLeases;
    beforeEach(async () => {
      driver = await make();
      [one, two] = [driver.open(), driver.open()];
    });
    afterEach(() => driver.close());

    const forEver = new AbortController().signal;
    const taken = async (leases: OpenLeases, of = "a"): Promise<Lease> => {
      const lease = await leases.take(of);
      if (!lease) throw new Error(`${of} is held by another`);
      return lease;
    };
    const all = (count: number) => Array.from({ length: count }, (_, n) => n);

    test("of many who want a name exactly one has it; other names are free", async () => {
      const attempts = all(20).map(n => (n % 2 ? one : two).take("a"));
      const leases = (await Promise.all(attempts)).filter(lease => lease !== null);
      expect(leases.map(({ name, isHeld, signal }) => [name, isHeld(), signal.aborted])).toEqual([
        ["a", true, false],
      ]);
      expect((await two.take("b"))?.isHeld()).toBe(true);
    });

    test("a released lease passes on, with a higher fence, and what its holder does then changes nothing", async () => {
      const first = await taken(one);
      await first.release();
      expect([first.isHeld(), first.signal.aborted]).toEqual([false, true]);
      const second = await taken(two);
      expect(second.fence).toBeGreaterThan(first.fence);
      await first.release();
      expect(await one.take("a")).toBeNull();
      expect(second.isHeld()).toBe(true);
    });

    test("who waits has it when it is free, one after the other", async () => {
      const first = await taken(one);
      const order: number[] = [];
      let atWork = 0;
      const turns = all(6).map(async n => {
        const lease = await (n % 2 ? one : two).wait("a", forEver);
        atWork += 1;
        expect(atWork).toBe(1);
        order.push(lease.fence);
        await Promise.resolve();
        atWork -= 1;
        await lease.release();
      });
      await first.release();
      await Promise.all(turns);
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(new Set(order).size).toBe(6);
      expect((await taken(one)).isHeld()).toBe(true);
    });

    test("who waits no more gets nothing", async () => {
      const reason = new Error("enough");
      const first = await taken(one);
      const giveUp = new AbortController();
      const waiting = [one, two].map(leases => leases.wait("a", giveUp.signal));
      giveUp.abort(reason);
      for (const wait of waiting) await expect(wait).rejects.toBe(reason);
      await expect(one.wait("b", giveUp.signal)).rejects.toBe(reason);
      await first.release();
      await until("it is free", async () => (await two.take("a")) !== null);
    });

    test("closing releases what was taken and ends what waits", async () => {
      const leases = [await taken(one), await taken(one, "b")];
      await taken(two, "c");
      const waiting = expect(one.wait("c", forEver)).rejects.toThrow("closed");
      await one.close();
      await one.close();
      await waiting;
      expect(leases.map(({ isHeld, signal }) => [isHeld(), signal.aborted])).toEqual([
        [false, true],
        [false, true],
      ]);
      expect((await taken(two)).isHeld()).toBe(true);
      await expect(one.take("d")).rejects.toThrow("closed");
    });

    test("fences rise over a restart of all", async () => {
      const { fence } = await taken(one);
      await Promise.all([one.close(), two.close()]);
      expect((await taken(driver.open())).fence).toBeGreaterThan(fence);
    });

    test("the only member of a pool has all of it at once", async () => {
      const { on, held, shards } = member();
      const share = await one.share("lanes", 128, on);
      expect(shards()).toEqual(all(128));
      expect([held.get(7)?.name, held.get(7)?.isHeld()]).toEqual(["lanes/7", true]);
      expect(await two.take("lanes/7")).toBeNull();
      const leases = [...held.values()];
      await share.close();
      expect(shards()).toEqual([]);
      expect(leases.filter(lease => lease.isHeld())).toEqual([]);
    });

    test("what a member gives up passes on once it has ended its work there", async () => {
      const gate = Promise.withResolvers<void>();
      const first = member(() => gate.promise);
      const second = member();
      const share = await one.share("lanes", 8, first.on);
      const leases = new Map(first.held);
      await two.share("lanes", 8, second.on);
      const closing = share.close();
      expect(all(8).filter(shard => second.held.has(shard) && leases.get(shard)?.isHeld())).toEqual([]);
      expect([...leases.values()].filter(lease => lease.isHeld())).toHaveLength(8);
      gate.resolve();
      await closing;
      await until("the second has all", () => second.held.size === 8);
      expect([...leases.values()].filter(lease => lease.isHeld())).toEqual([]);
      const other = member();
      await two.share("other", 3, other.on);
      expect(other.shards()).toEqual(all(3));
    });
  });
}
