import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { createMonitor } from "../../services/tracker/monitors/monitors.ts";
import { monitorSteps, stepMonitor } from "../../services/tracker/monitors/step-monitor.ts";
import { storeOptions } from "../../services/tracker/sources.store.ts";
import { inWorlds, steps } from "../suites/monitor-deaths.suite.ts";
import type { World } from "../suites/tracker-world.ts";
import { removeFolder } from "../support/folders.ts";
import { Life } from "../support/mortal.ts";

const { collection, indexes = [], extraCollections = {} } = storeOptions;

const open = async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-monitor-deaths-"));
  const path = join(folder, "magpie.db");
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  const { store, close } = await openSqliteStore(path, declared);
  const history = openEmbeddedHistory(path);
  return {
    store: store as unknown as Store<never>,
    history,
    close: async () => {
      await history.close();
      await close();
      await removeFolder(folder);
    },
  };
};

const caller = { keyId: "k1", owner: "ann", limits: defaultLimits };
const minute = 60_000;

async function step(world: World): Promise<void> {
  for (const monitor of await monitorSteps.leaseDue(world.context, 9))
    await stepMonitor(world.context, monitor, world.platforms as never);
}

test("a check begins at its time; a time that comes while one is under way is skipped, and said so", async () => {
  await inWorlds(open, async live => {
    const world = await live(new Life());
    const { context } = world;
    const page = "https://host.example/a";
    world.upstream.pages.set(page, 1);
    const { data } = await createMonitor(context, caller, {
      ...{ name: "Pages", schedule: { cron: "*/10 * * * *" } },
      targets: [{ source: "web", sids: [page] }],
    });
    await step(world);
    expect(await context.checks.count()).toBe(0);
    world.aheadMs += 10 * minute;
    await steps(world, async () => (await context.monitors.findById(data.id))?.last !== undefined);
    const first = await context.checks.findOne({ monitorId: data.id });
    expect(first).toMatchObject({ trigger: "scheduled", status: "completed", counts: { new: 1 } });
    expect(new Date(first?.scheduled_for ?? "").getUTCMinutes() % 10).toBe(0);

    // The next one is under way, because nobody polls, when its next time comes.
    world.aheadMs += 10 * minute;
    await step(world);
    world.aheadMs += 10 * minute;
    await step(world);
    const states = (await context.checks.find({ sort: ["_id"] })).map(({ status }) => status);
    expect(states).toEqual(["completed", "running", "skipped"]);
    await steps(world, async () => !(await context.monitors.findById(data.id))?.running);
    const told = (await world.log.read("k1", 0, 9)).map(({ data: said }) => Object(said.check).status);
    expect(told).toEqual(["completed", "skipped", "completed"]);
  });
});

test("times that were missed are made up for by one check", async () => {
  await inWorlds(open, async live => {
    const world = await live(new Life());
    const { context } = world;
    await createMonitor(context, caller, {
      ...{ name: "Pages", schedule: { cron: "*/10 * * * *" } },
      targets: [{ source: "web", sids: ["https://host.example/a"] }],
    });
    await step(world);
    world.aheadMs += 300 * minute;
    await step(world);
    await world.poll();
    world.aheadMs += 1000;
    await step(world);
    expect(await context.checks.count()).toBe(1);
  });
});
