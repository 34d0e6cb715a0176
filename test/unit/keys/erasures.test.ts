import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { ErasureOf } from "../../../services/contracts/erasure.contract.ts";
import { erasuresCollection, type KeysContext, type StoredErasure } from "../../../services/keys/context.ts";
import {
  ErasureRunner,
  type ErasureSteps,
  getErasure,
  startErasure,
} from "../../../services/keys/erasures.ts";
import { removeFolder } from "../../support/folders.ts";
import { until } from "../../support/until.ts";

let store: Store<StoredErasure>;
let close: () => Promise<void>;
let clock = Date.parse("2030-01-01");

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "magpie-"));
  const opened = await openSqliteStore(join(folder, "magpie.db"), [
    [erasuresCollection, [{ fields: ["state", "_id"] }]],
  ]);
  store = opened.store as unknown as Store<StoredErasure>;
  close = async () => {
    await opened.close();
    await removeFolder(folder);
  };
});

afterEach(() => close());

/** Three parts that hold some things of two keys each, and fall at a call. */
function world(fallsAt = Number.POSITIVE_INFINITY) {
  const held = new Map([
    ["one", ["a", "a", "b"]],
    ["two", ["a"]],
    ["three", ["b", "a"]],
  ]);
  let calls = 0;
  const step =
    (name: string) =>
    async ({ keyIds, dry }: ErasureOf) => {
      const things = held.get(name) ?? [];
      if (!dry)
        held.set(
          name,
          things.filter(each => !keyIds.includes(each)),
        );
      calls += 1;
      // The work is done, and its process dies before it has noted that.
      if (calls === fallsAt) return await new Promise<never>(() => undefined);
      const left = (held.get(name) ?? []).filter(each => keyIds.includes(each)).length;
      return { counts: left > 0 ? [{ kind: name, count: left }] : [] };
    };
  const steps: ErasureSteps = { one: step("one"), two: step("two"), three: step("three") };
  return { held, steps, calls: () => calls };
}

function run(steps: ErasureSteps, scrub = async () => undefined): ErasureRunner {
  const onError = (error: unknown) => {
    throw error;
  };
  const runner = new ErasureRunner({ erasures: store, steps, scrub, now: () => clock, onError, pauseMs: 1 });
  runner.wake();
  return runner;
}

function start(dry_run = false) {
  const context = { erasures: store, newId: () => "1", now: () => clock } as unknown as KeysContext;
  return startErasure(context, { key_id: "a", dry_run });
}

const ended = async (id: string) => (await getErasure(store, id)).data.state !== "running";

test("wherever a process dies, the next one goes on, and the counts are those from before", async () => {
  for (let fallsAt = 1; fallsAt <= 9; fallsAt += 1) {
    const { held, steps, calls } = world(fallsAt);
    const { data } = await start();
    run(steps);
    await until("the first process hangs", () => calls() === fallsAt);
    clock += 121_000;
    const second = run(steps);
    await until("the second one ends it", () => ended(data.id));
    const { found, state } = (await getErasure(store, data.id)).data;
    expect(state).toBe("completed");
    expect(found).toEqual([
      { kind: "one", count: 2 },
      { kind: "two", count: 1 },
      { kind: "three", count: 1 },
    ]);
    expect([...held.values()]).toEqual([["b"], [], ["b"]]);
    await second.stop();
    await store.remove(data.id);
  }
});

test("a step of a source takes several calls: each is noted, also where a process dies between two", async () => {
  for (let fallsAt = 1; fallsAt <= 12; fallsAt += 1) {
    let [calls, left] = [0, ["x", "x", "y", "x"]];
    const asked: string[] = [];
    const tracked: ErasureSteps[string] = async ({ cursor = "0", dry, source }) => {
      calls += 1;
      asked.push(`${source?.eid} ${cursor}`);
      const at = Number(cursor);
      const found = left[at] === "x" ? 1 : 0;
      if (!dry && found) left = left.with(at, "erased");
      if (calls === fallsAt) return await new Promise<never>(() => undefined);
      const isLast = at === left.length - 1;
      const next = isLast ? {} : { next: String(at + 1) };
      return { counts: found ? [{ kind: "events", count: found }] : [], sourceIds: ["id"], ...next };
    };
    const named: string[][] = [];
    const keys: ErasureSteps[string] = async ({ sourceIds = [] }) => {
      named.push(sourceIds);
      return { counts: [] };
    };
    const context = { erasures: store, newId: () => "1", now: () => clock } as unknown as KeysContext;
    const { data } = await startErasure(context, { source: "rss", eid: "a", dry_run: false });
    const first = run({ keys, tracked });
    await until("the first process hangs", () => calls === fallsAt);
    clock += 121_000;
    const second = run({ keys, tracked });
    await until("the second one ends it", () => ended(data.id));
    const { found, state } = (await getErasure(store, data.id)).data;
    expect([state, found, left]).toEqual([
      "completed",
      [{ kind: "events", count: 3 }],
      ["erased", "erased", "y", "erased"],
    ]);
    // Five rounds of four calls, and the one that was done twice.
    expect(asked).toHaveLength(21);
    expect(new Set(asked)).toEqual(new Set(["a 0", "a 1", "a 2", "a 3"]));
    expect(new Set(named.flat())).toEqual(new Set(["id"]));
    expect(await store.findById(data.id)).toEqual(
      expect.not.objectContaining({ source: expect.anything(), sourceIds: expect.anything() }),
    );
    await Promise.all([second.stop(), Promise.race([first.stop(), second.stop()])]);
    await store.remove(data.id);
  }
});

test("a dry run of a source erases nothing, and what is named twice or by half is refused", async () => {
  const erasing: boolean[] = [];
  const tracked: ErasureSteps[string] = async ({ dry }) => {
    erasing.push(!dry);
    return { counts: [{ kind: "events", count: 2 }], sourceIds: [] };
  };
  const context = { erasures: store, newId: () => "1", now: () => clock } as unknown as KeysContext;
  const { data } = await startErasure(context, { source: "rss", eid: "a", dry_run: true });
  const runner = run({ tracked });
  await until("it ends", () => ended(data.id));
  expect(erasing).toEqual([false]);
  await runner.stop();
  for (const wrong of [
    {},
    { eid: "a" },
    { source: "rss" as const, key_id: "k" },
    { owner: "o", key_id: "k" },
  ])
    await expect(startErasure(context, { ...wrong, dry_run: false })).rejects.toMatchObject({
      type: "validation_failed",
    });
});

test("a dry run counts, and erases nothing", async () => {
  const { held, steps } = world();
  const { data } = await start(true);
  const runner = run(steps);
  await until("it ends", () => ended(data.id));
  expect((await getErasure(store, data.id)).data.found).toHaveLength(3);
  expect(held.get("one")).toEqual(["a", "a", "b"]);
  await runner.stop();
});

test("what is written meanwhile is erased as well, and then the document names nobody", async () => {
  const { held, steps } = world();
  const late = steps.three;
  let looks = 0;
  steps.three = async of => {
    looks += 1;
    if (looks === 2) held.set("one", ["a"]);
    return (await late?.(of)) ?? { counts: [] };
  };
  let scrubs = 0;
  const scrub = async () => {
    scrubs += 1;
    return undefined;
  };
  const { data } = await start();
  const runner = run(steps, scrub);
  await until("it ends", () => ended(data.id));
  expect(held.get("one")).toEqual([]);
  expect(await store.findById(data.id)).not.toHaveProperty("keyIds");
  expect(scrubs).toBeGreaterThan(0);
  await runner.stop();
});
