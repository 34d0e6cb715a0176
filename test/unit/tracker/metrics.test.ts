import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { OpenStore } from "../../../mixins/store/store-of.ts";
import { sourceKinds } from "../../../services/contracts/source.ts";
import { trackerGauges } from "../../../services/tracker/metrics.ts";
import { type StoredSource, storeOptions } from "../../../services/tracker/sources.store.ts";
import { removeFolder } from "../../support/folders.ts";

const folder = mkdtempSync(join(tmpdir(), "magpie-census-"));
let opened: OpenStore;
let sources: Store<StoredSource>;

beforeAll(async () => {
  const { collection, indexes = [] } = storeOptions;
  opened = await openSqliteStore(join(folder, "magpie.db"), [[collection, indexes]]);
  sources = opened.store.collection(collection);
  const source = (n: number) => ({
    _id: randomUUID(),
    kind: n % 3 === 0 ? "web" : "rss",
    externalId: `https://example.com/${n}`,
    health: n % 10 === 0 ? "failing" : "ok",
    dueAt: 1_000_000 + n,
  });
  await sources.insertMany(Array.from({ length: 300 }, (_, n) => source(n) as StoredSource));
});
afterAll(async () => {
  await opened.close();
  await removeFolder(folder);
});

test("sources are counted whole, although in parts, and not again within a minute", async () => {
  const [census] = trackerGauges({ sources, now: Date.now }, () => true);
  const counts = async () =>
    Object.fromEntries(
      ((await census?.read()) ?? []).map(({ labels, value }) => [`${labels?.kind} ${labels?.health}`, value]),
    );
  const first = await counts();
  expect(first).toMatchObject({ "web ok": 90, "web failing": 10, "rss ok": 180, "rss failing": 20 });
  expect(Object.keys(first)).toHaveLength(3 * sourceKinds.length);
  await sources.insert({ _id: randomUUID(), kind: "rss", externalId: "x", health: "ok" } as StoredSource);
  expect(await counts()).toEqual(first);
});

test("the longest wait of a due poll; none before the first is due", async () => {
  const overdue = async (now: number) =>
    (await trackerGauges({ sources, now: () => now }, () => true)[1]?.read())?.[0]?.value;
  await sources.removeMany({ externalId: "x" });
  expect(await overdue(1_000_000 + 90_000)).toBe(90);
  expect(await overdue(999_000)).toBe(0);
});

test("a tracker that does not maintain the sources leaves both out", async () => {
  const gauges = trackerGauges({ sources, now: Date.now }, () => false);
  expect(await Promise.all(gauges.map(gauge => gauge.read()))).toEqual([[], []]);
});
