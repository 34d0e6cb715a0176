import { unpackPageMemory } from "../../../../services/connectors/sites/page-memory.ts";
import { dictionaryOf, readDictionary } from "../../../../services/connectors/sites/site-dictionary.ts";
import { htmlOf } from "../../../support/edited-site/html.ts";
import { siteModel } from "../../../support/edited-site/model.ts";
import {
  openSiteWorld,
  origin,
  pageOf,
  type SiteWorld,
  sitemapOf,
  type TrackedView,
} from "../../../support/site-world.ts";

const hour = 3_600_000;
const otherDictionary = dictionaryOf(["a", "b", "c", "d"].map(name => `What the pages of ${name} say`))?.kept;
const paths = ["/", ..."abcdefghij".split("").map(name => `/${name}`)];

let world: SiteWorld;
let site: TrackedView;

beforeEach(() => {
  world = openSiteWorld();
  site = world.track();
});

afterEach(() => world.close());

function listAll(dates: Record<string, number>): void {
  world.answers.set("/robots.txt", `User-agent: *\nSitemap: ${origin}/sitemap.xml\n`);
  world.answers.set("/sitemap.xml", sitemapOf(dates));
}

/** A site whose pages have been read, and written anew with its dictionary. */
async function readTwice(): Promise<void> {
  listAll(Object.fromEntries(paths.map((path, n) => [path, world.now - n - 1])));
  for (const path of paths) world.answers.set(path, pageOf(`Page ${path}`));
  await world.settle(site);
  await visitAll();
}

async function visitAll(): Promise<string[]> {
  world.now += hour;
  await markAll();
  const told = [...(await world.settle(site)), ...(await world.pass(10 * 60_000, site))];
  return told.map(({ type, postId }) => `${type} ${postId.replace(origin, "")}`);
}

async function write(change: (memory: Record<string, unknown>) => void): Promise<void> {
  const fence = await takenOver();
  const { memory } = await world.pages.open(site.id, fence);
  const kept = JSON.parse(memory ?? "") as Record<string, unknown>;
  change(kept);
  await world.pages.settle(site.id, fence, [], JSON.stringify(kept));
}

async function markAll(): Promise<void> {
  const keys = await world.pages.listed(site.id, "", 100);
  const marks = keys.map(({ key }) => ({ key, dueBy: world.now }));
  await world.pages.mark(site.id, await takenOver(), marks);
}

/** The fence of the last poll. */
async function takenOver(): Promise<number> {
  for (let fence = 1; ; fence += 1) {
    const isOpen = await world.pages.open(site.id, fence).then(
      () => true,
      () => false,
    );
    if (isOpen) return fence;
  }
}

test("pages of two kilobytes take less than one, the site's dictionary aside", async () => {
  const model = siteModel(7, 120, world.now);
  const docs = [...model.answers.values()].flatMap(answer => ("doc" in answer ? answer.doc : []));
  listAll(Object.fromEntries(docs.map(({ path, changedAt }) => [path, changedAt])));
  for (const doc of docs) world.answers.set(doc.path, htmlOf(doc, model, origin, "All rights reserved."));
  await world.settle(site);
  const listed = await world.pages.list(site.id, { limit: 200 });
  const pages = await world.pages.get(
    site.id,
    listed.map(({ key }) => key),
  );
  const sizes = pages.map(({ memory }) => memory?.length ?? 0);
  expect(sizes).toHaveLength(120);
  expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(1000);
});

test("the dictionary is chosen once", async () => {
  await readTwice();
  const seen = new Set<unknown>();
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await write(({ dictionary }) => seen.add(dictionary));
    await visitAll();
  }
  expect([...seen]).toEqual([expect.any(String)]);
});

describe("a site whose dictionary is lost", () => {
  const losses: [string, (memory: Record<string, unknown>) => void][] = [
    ["gone", memory => delete memory.dictionary],
    ["damaged", memory => Object.assign(memory, { dictionary: "bm90aGluZw==" })],
    ["another one", memory => Object.assign(memory, { dictionary: otherDictionary })],
  ];

  test.each(losses)("tells nothing that has not happened: it is %s", async (_, lose) => {
    await readTwice();
    await write(lose);
    world.bodies.clear();
    expect(await visitAll()).toEqual([]);
    expect([...world.bodies.keys()].sort()).toEqual(paths);
  });

  test.each(losses)("tells what happens then: it is %s", async (_, lose) => {
    await readTwice();
    await write(lose);
    await visitAll();
    world.answers.set("/c", pageOf("Page /c", { text: "The larch boxes cost 20 euros from today." }));
    expect(await visitAll()).toEqual(["site.page.changed /c"]);
    expect(await visitAll()).toEqual([]);
  });

  test("finds a missing page again, and tells nothing", async () => {
    await readTwice();
    const page = world.answers.get("/d") ?? "";
    world.answers.set("/d", { status: 404 });
    await markAll();
    await world.settle(site);
    expect((await world.pages.counts(site.id)).states.missing).toBe(1);
    await write(memory => delete memory.dictionary);
    world.answers.set("/d", page);
    expect(await visitAll()).toEqual([]);
  });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a crash before or after write %p of the first visits leaves no page that cannot be read",
  async write => {
    const many = Array.from({ length: 60 }, (_, n) => `/${n}`);
    listAll(Object.fromEntries(many.map((path, n) => [path, world.now - n - 1])));
    for (const path of ["/", ...many]) world.answers.set(path, pageOf(`Page ${path}`));
    let seen = 0;
    world.onWrite = isDone => {
      if (isDone !== (write % 2 === 0)) return;
      seen += 1;
      if (seen === write) throw new Error("the process died");
    };
    await world.settle(site).catch(() => undefined);
    delete world.onWrite;
    await expectReadable();
    expect(await world.settle(site)).toEqual([]);
    await expectReadable();
    expect((await world.pages.counts(site.id)).states.there).toBe(61);
  },
);

/** Expects that each page that has a memory can be read with the dictionary that is kept. */
async function expectReadable(): Promise<void> {
  const { memory } = await world.pages.open(site.id, await takenOver());
  const { dictionary: kept } = JSON.parse(memory ?? "{}") as { dictionary?: string };
  const dictionary = kept === undefined ? undefined : readDictionary(kept);
  const keys = await world.pages.listed(site.id, "", 100);
  const pages = await world.pages.get(
    site.id,
    keys.map(({ key }) => key),
  );
  const unread = pages.filter(page => unpackPageMemory(page.memory, { url: page.url, dictionary }).isKnown);
  expect(unread).toEqual([]);
}
