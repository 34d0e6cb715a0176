import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLeases } from "../../mixins/coordination/leases/embedded.leases.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import type { NewMonitor } from "../../services/contracts/monitors.contract.ts";
import { reapDeadSessions } from "../../services/tracker/maintenance/dead-sessions.ts";
import { runMonitor } from "../../services/tracker/monitors/checks.ts";
import { createMonitor, removeMonitor } from "../../services/tracker/monitors/monitors.ts";
import { monitorSteps, stepMonitor } from "../../services/tracker/monitors/step-monitor.ts";
import { MemoryLog } from "../fakes/memory-log.ts";
import { Upstream } from "../fakes/upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { Life } from "../support/mortal.ts";
import type { TrackerStore } from "./tracker-deaths.suite.ts";
import { minute, World } from "./tracker-world.ts";

const caller = { keyId: "k1", owner: "ann", limits: defaultLimits };
const pages = ["https://host.example/a", "https://host.example/b"];
const gone = "https://host.example/unknown";

/** The steps of monitors by a process that dies before each of its writes, and what the next process makes of them. */
export function monitorDeathsSuite(name: string, open: () => Promise<TrackerStore>): void {
  describe.each([
    ["the first check", 0],
    ["a later check", 1],
  ])(`a process dies before each write of %s of a monitor: ${name}`, (_, before) => {
    test("each page is in the check once, and each event in the log", async () => {
      for (let last = 0, isStruck = true; isStruck; last += 1) {
        isStruck = await dieIn(open, last, before);
        expect(last).toBeLessThan(200);
      }
    }, 240_000);
  });

  test(`a request for a monitor that is repeated after a death makes one: ${name}`, async () => {
    for (let last = 0, isStruck = true; isStruck; last += 1) {
      await inWorlds(open, async (live, next) => {
        const first = await newMonitor(await live(new Life(last + 1)), "a-key").catch(() => undefined);
        isStruck = first === undefined;
        const heir = await next();
        const again = await newMonitor(heir, "a-key");
        expect({ last, first: first ?? again }).toEqual({ last, first: again });
        expect(await newMonitor(heir, "a-key")).toBe(again);
        expect(await heir.context.monitors.count()).toBe(1);
        await removeMonitor(heir.context, caller, { id: again });
        await expect(newMonitor(heir, "a-key")).rejects.toMatchObject({ type: "conflict" });
      });
    }
  });

  test(`a process dies before each write of the removal of a monitor: ${name}`, async () => {
    for (let last = 0, isStruck = true; isStruck; last += 1) {
      await inWorlds(open, async (live, next) => {
        const world = await live(new Life());
        const id = await newMonitor(world);
        await check(world, id);
        const doomed = await live(new Life(last + 1));
        const removal = async (each: World) => {
          await removeMonitor(each.context, caller, { id }).catch(ifNotThere);
          await steps(each, async () => (await each.context.monitors.findById(id)) === null);
        };
        await removal(doomed).catch(() => undefined);
        isStruck = doomed.life.isOver;
        const heir = await next();
        await removal(heir);
        const { sources, subscriptions, members, checks, pages: found } = heir.context;
        const left = await Promise.all(
          [sources, subscriptions, members, checks, found].map(each => each.count()),
        );
        expect({ last, left }).toEqual({ last, left: [0, 0, 0, 0, 0] });
      });
    }
  }, 240_000);
}

function ifNotThere(error: unknown): void {
  if (Object(error).type !== "not_found") throw error;
}

async function dieIn(open: () => Promise<TrackerStore>, last: number, before: number): Promise<boolean> {
  return await inWorlds(open, async (live, next) => {
    const world = await live(new Life());
    const id = await newMonitor(world);
    for (let n = 0; n < before; n += 1) await check(world, id);
    if (before > 0) world.upstream.pages.set(pages[0] ?? "", 2);
    const doomed = await live(new Life(last + 1));
    await check(doomed, id).catch(() => undefined);
    const isStruck = doomed.life.isOver;
    const heir = await next();
    // The request may have been lost with the process; who asks again is told where one is under way.
    const { running, last: ended } = (await heir.context.monitors.findById(id)) ?? {};
    const checksSoFar = await heir.context.checks.count({ monitorId: id, status: "partial" });
    if (!running && checksSoFar === before) await check(heir, id);
    else await steps(heir, async () => !(await heir.context.monitors.findById(id))?.running);
    expect({ last, ended: ended?.status ?? "partial" }).toEqual({ last, ended: "partial" });
    const monitor = await heir.context.monitors.findById(id);
    const checkId = monitor?.last?.id ?? "";
    const found = await heir.context.pages.find({ query: { checkId } });
    const states = found.map(({ url, status }) => `${url.split("/").at(-1)} ${status}`).sort();
    const expected =
      before === 0 ? ["a new", "b new", "unknown failed"] : ["a changed", "b same", "unknown failed"];
    expect({ last, states }).toEqual({ last, states: expected });
    const counts = { pages: 3, failed: 1, ...(before === 0 ? { new: 2 } : { changed: 1, same: 1 }) };
    expect({ last, last_check: monitor?.last }).toMatchObject({ last, last_check: { counts } });
    const told = (await heir.log.read("k1", 0, 99)).map(({ type, data }) => [type, Object(data.page).id]);
    const ofPages = told.flatMap(([type, page]) => (type === "monitor.page" ? [page] : []));
    expect({ last, once: new Set(ofPages).size }).toEqual({ last, once: ofPages.length });
    expect(found.every(({ _id }) => ofPages.includes(_id))).toBe(true);
    const kinds = told.map(([type]) => type).filter(type => type !== "monitor.page");
    expect({ last, kinds }).toEqual({
      last,
      kinds: before === 0 ? ["monitor.checked"] : ["monitor.checked", "web.page.changed", "monitor.checked"],
    });
    expect(await heir.context.subscriptions.count()).toBe(2);
    return isStruck;
  });
}

async function newMonitor(world: World, idempotencyKey?: string): Promise<string> {
  for (const page of pages) world.upstream.pages.set(page, 1);
  const wanted: NewMonitor = {
    ...{ name: "Pages", schedule: { cron: "0 0 1 1 *" }, page_events: true },
    targets: [{ source: "web", sids: [...pages, gone] }],
  };
  const { data } = await createMonitor(world.context, caller, wanted, idempotencyKey);
  return data.id;
}

async function check(world: World, id: string): Promise<void> {
  await runMonitor(world.context, caller, { id });
  await steps(world, async () => !(await world.context.monitors.findById(id))?.running);
}

/** Takes steps of monitors, and polls what is due, until that is so. */
export async function steps(world: World, isOver: () => Promise<boolean>): Promise<void> {
  for (let step = 0; !(await isOver()); step += 1) {
    if (step === 50) throw new Error("The check does not end.");
    for (const monitor of await monitorSteps.leaseDue(world.context, 9))
      await stepMonitor(world.context, monitor, world.platforms as never);
    await world.poll();
    world.aheadMs += 11_000;
  }
}

/** Gives lives in a store of their own; `next` is a process that begins when all others are dead. */
export async function inWorlds<Result>(
  open: () => Promise<TrackerStore>,
  work: (live: (life: Life) => Promise<World>, next: () => Promise<World>) => Promise<Result>,
): Promise<Result> {
  const { store, history, close } = await open();
  const folder = mkdtempSync(join(tmpdir(), "magpie-deaths-"));
  const [leases, after] = [openEmbeddedLeases(folder), openEmbeddedLeases(`${folder}-after`)];
  const shared = { upstream: new Upstream(), log: new MemoryLog(), history, followed: new Set<string>() };
  let now = Date.parse("2026-02-01T00:00:00.000Z");
  const begin = async (life: Life, held: typeof leases) => {
    now += 10 * minute;
    const world = new World(store, life, { ...shared, leases: held }, () => now);
    await world.session.start();
    return world;
  };
  try {
    return await work(
      life => begin(life, leases),
      async () => {
        const world = await begin(new Life(), after);
        await reapDeadSessions(world.context, world.session);
        return world;
      },
    );
  } finally {
    await leases.close();
    await after.close();
    await close();
    for (const path of [folder, `${folder}-after`]) await removeFolder(path);
  }
}
