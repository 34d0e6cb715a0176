import { createHash } from "node:crypto";
import { ulid } from "ulid";
import { changesSource } from "../../services/domain/page-changes/changes-source.ts";
import { forgetChanges } from "../../services/scraper/changes/former-pages.ts";
import { Pruning } from "../../services/tracker/maintenance/retention.ts";
import { Life } from "../support/mortal.ts";
import { inWorlds } from "./monitor-deaths.suite.ts";
import type { TrackerStore } from "./tracker-deaths.suite.ts";
import { minute, type World } from "./tracker-world.ts";

const day = 24 * 60 * minute;
const { signal } = new AbortController();

/** For how long what scrapes with the format `changes` have read is kept, and what the pages of a site said. */
export function changesPastSuite(name: string, open: () => Promise<TrackerStore>): void {
  const inWorld = (work: (world: World) => Promise<void>) =>
    inWorlds(open, async live => work(await live(new Life())));

  const [daily, other] = [changesSource("k1", "daily"), changesSource("k2")];

  /** Prunes once, with these settings, in an installation that has these keys. */
  const prune = ({ context }: World, keys: string[], bytes = 1e9) => {
    const retention = { days: 90, bytes, eventsMs: 3 * day };
    const existing = async (asked: string[]) => asked.filter(each => keys.includes(each));
    return new Pruning(context, retention, existing).round(signal);
  };

  describe(`readings of addresses: ${name}`, () => {
    test("what was replaced before KEEP_DAYS goes, and the newest of each address stays", () =>
      inWorld(async world => {
        await read(world, daily, "a", 200, 120, 30);
        await read(world, daily, "b", 200);
        await read(world, daily, "c", 100, 80);
        expect(await prune(world, ["k1"])).toBe(1);
        expect(await kept(world, daily)).toEqual(["a 120", "a 30", "b 200", "c 100", "c 80"]);
        expect(await prune(world, ["k1"])).toBe(0);
      }));

    test("beyond KEEP_MB the oldest go first, and each key has a share of its own", () =>
      inWorld(async world => {
        await read(world, daily, "a", 50, 40, 30, 20, 10);
        await read(world, other, "b", 5);
        const sizes = await world.context.history.bytesOf([daily, other]);
        const bytes = Math.ceil((sizes.get(daily) ?? 0) / 2);
        expect(await prune(world, ["k1", "k2"], bytes)).toBeGreaterThan(0);
        const left = await kept(world, daily);
        expect(left).toEqual(["a 50", "a 40", "a 30", "a 20", "a 10"].slice(-left.length));
        expect(left.length).toBeGreaterThan(0);
        expect((await world.context.history.bytesOf([daily])).get(daily)).toBeLessThanOrEqual(bytes);
        expect(await kept(world, other)).toEqual(["b 5"]);
      }));

    test("the readings of a key that is no more go, unless it has just read", () =>
      inWorld(async world => {
        await read(world, daily, "a", 2);
        await read(world, other, "b", 2);
        await read(world, changesSource("k2", "now"), "c", 0);
        await prune(world, ["k1"]);
        expect(await world.context.history.sourceIds("", 9)).toEqual(
          [daily, changesSource("k2", "now")].sort(),
        );
      }));

    test("a deleted key takes all its readings along, and nothing of another key", () =>
      inWorld(async world => {
        const { history } = world.context;
        const alike = changesSource("k1a");
        for (const id of [daily, changesSource("k1"), alike, other]) await read(world, id, "a", 3, 2);
        await forgetChanges(history, "k1");
        expect(await history.sourceIds("", 9)).toEqual([alike, other].sort());
      }));

    test("so it is with the pages of a site, also where there are many", () =>
      inWorld(async world => {
        await world.track("k1", "https://host.example/docs/", "site");
        const id = (await world.context.sources.findOne({ kind: "site" }))?._id ?? "";
        const many = Array.from({ length: 600 }, (_, n) => `page ${n}`);
        for (const page of many) await read(world, id, page, 200);
        await read(world, id, "page 7", 100, 50);
        await read(world, id, "page 8", 60);
        await world.context.subscriptions.updateMany({}, { $set: { readsFrom: 0 } });
        expect(await prune(world, ["k1"])).toBe(1);
        expect((await world.context.history.size(id)).versions).toBe(602);
        const ofPage = await world.context.history.versions(id, { item: "page 7", limit: 9 });
        expect(ofPage).toHaveLength(2);
        expect(await prune(world, ["k1"])).toBe(0);
      }));
  });
}

/** Readings of an address so many days ago, each of another content. */
async function read({ context }: World, sourceId: string, item: string, ...daysAgo: number[]): Promise<void> {
  for (const days of daysAgo) {
    const at = context.now() - days * day;
    const content = Buffer.from(
      JSON.stringify({ markdown: `${item} as it was ${days} days ago in ${sourceId}` }),
    );
    const hash = createHash("sha256").update(content).digest("hex");
    const reason = JSON.stringify({ by: "", at, url: item });
    const said = { title: item, outcome: "changed", reason, words: "" } as const;
    await context.history.add([{ id: ulid(at), sourceId, item, at, hash, content, ...said }]);
  }
}

/** Each version that is kept: its address, and how many days ago it was read. */
async function kept({ context }: World, sourceId: string): Promise<string[]> {
  const versions = await context.history.versions(sourceId, { limit: 99, oldestFirst: true });
  const shown = versions.map(({ item, at }) => ({ item, days: Math.round((context.now() - at) / day) }));
  shown.sort((a, b) => String(a.item).localeCompare(String(b.item)) || b.days - a.days);
  return shown.map(({ item, days }) => `${item} ${days}`);
}
