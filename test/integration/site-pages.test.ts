import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { openEmbeddedSitePages } from "../../mixins/site-pages/embedded.site-pages.ts";
import { sitePagesMixin, type WithSitePages } from "../../mixins/site-pages/site-pages.mixin.ts";
import {
  never,
  type OpenSitePages,
  type PageRange,
  type SettledPage,
} from "../../mixins/site-pages/site-pages.ts";
import { SiteViews } from "../../mixins/site-pages/site-views.ts";
import { closeDatabase, type Database, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { sitePagesSuite } from "../suites/site-pages.suite.ts";
import { removeFolder } from "../support/folders.ts";

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "magpie-sites-"));
  folders.push(path);
  return path;
};
afterAll(async () => {
  for (const path of folders) await removeFolder(path);
});

sitePagesSuite("sqlite", async () => {
  const pages = openEmbeddedSitePages(join(folder(), "magpie.db"));
  return { pages, close: () => pages.close() };
});

const page = (name: string, change: Partial<SettledPage> = {}): SettledPage => {
  const key = `https://site.example/${name}`;
  const plain = { key, url: key, depth: 1, from: null, dueAt: 5, foundAt: 5, title: "" };
  return { ...plain, state: "there", ...change };
};

describe("the embedded pages of sites", () => {
  let path: string;
  let database: Database;
  let pages: OpenSitePages;
  beforeEach(() => {
    path = join(folder(), "magpie.db");
    database = openDatabase(path);
    pages = openEmbeddedSitePages(path);
  });
  afterEach(async () => {
    await pages.close();
    closeDatabase(path);
  });

  test("no query of it reads a whole table, and none sorts but that of what changed lately", () => {
    const plans: [string, string][] = [];
    // What the database is asked, with how it finds it.
    const seen = new Proxy(database, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name, of);
        if (name !== "prepare") return value;
        return (sql: string) => {
          const plan = of.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
          plans.push(...plan.map(row => [sql, String(row.detail)] as [string, string]));
          return of.prepare(sql);
        };
      },
    });
    const views = new SiteViews(seen);
    views.due("s", 9, 9);
    views.nextDue("s");
    views.get("s", ["a"]);
    views.withContent("s", "00");
    views.near("s", "a", 3);
    views.news("s", 0, 9);
    views.counts("s");
    views.listed("s", "a", 9);
    const ranges: Partial<PageRange>[] = [{}, { prefix: "a", after: "b" }, { states: ["removed"] }];
    for (const range of ranges) views.list("s", { limit: 9, ...range });
    expect(plans.length).toBeGreaterThan(20);
    // A list of keys is a table of its own.
    const isBad = (detail: string) => /SCAN (?!json_each)|TEMP B-TREE/.test(detail);
    expect(plans.filter(([, detail]) => isBad(detail))).toEqual([]);
    plans.length = 0;
    views.list("s", { limit: 9, changedSince: 5 });
    expect(plans.filter(([, detail]) => /SCAN/.test(detail))).toEqual([]);
  });

  test("nothing is left of a dropped site", async () => {
    await pages.open("a", 1);
    const many = Array.from({ length: 1000 }, (_, n) =>
      page(`p${n}`, { memory: Buffer.from("memory"), news: ["news"] }),
    );
    await pages.settle("a", 1, many, "memory");
    await pages.drop("a");
    const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    const tables = ["tracked_sites", "site_memories", "site_pages", "site_page_memories", "site_news"];
    expect(tables.map(count)).toEqual([0, 0, 0, 0, 0]);
  });
});

test("services of one process share them, and they are there after a restart", async () => {
  const dataDir = folder();
  const start = async () => {
    const broker = new ServiceBroker({ logger: false });
    const services = ["one", "two"].map(name =>
      broker.createService({ name, mixins: [sitePagesMixin({ dataDir })] }),
    );
    await broker.start();
    return { broker, sites: services.map(service => (service as unknown as WithSitePages).sitePages) };
  };
  const { broker, sites } = await start();
  await sites[0]?.open("a", 1);
  await sites[0]?.offer("a", 1, [page("p")], 9);
  expect(await sites[1]?.due("a", 9, 9)).toHaveLength(1);
  await broker.stop();
  const again = await start();
  expect((await again.sites[0]?.counts("a"))?.pages).toBe(1);
  await again.broker.stop();
});

describe("kill -9", () => {
  const driver = `
    import { openEmbeddedSitePages } from "./mixins/site-pages/embedded.site-pages.ts";
    const [path, fence] = [process.argv[1], Number(process.argv[2])];
    const pages = openEmbeddedSitePages(path);
    const page = n => {
      const key = "https://site.example/" + n;
      return { key, url: key, depth: 1, from: null, dueAt: n, foundAt: 0 };
    };
    await pages.open("a", fence);
    await pages.offer("a", fence, [page(1)], 400);
    const say = text => new Promise(done => process.stdout.write(text + "\\n", done));
    for (;;) {
      const due = await pages.due("a", 1e6, 3);
      if (due.length === 0) break;
      for (const { key, depth } of due) {
        const n = Number(key.slice(21));
        await pages.offer("a", fence, [page(2 * n), page(2 * n + 1)], 400);
        const visited = { ...page(n), state: "there", title: "read", dueAt: ${never}, memory: Buffer.from("m" + n) };
        await pages.settle("a", fence, [{ ...visited, news: ["one of " + n, "two of " + n] }], "after " + n);
        await say(String(n));
      }
      for (const { seq, post } of await pages.news("a", 0, 5)) {
        await say(post);
        await pages.acknowledge("a", fence, seq);
      }
    }
    await say("end");`;
  const drive = (path: string, fence: number): ChildProcess =>
    spawn(process.execPath, ["--input-type=module", "-e", driver, path, String(fence)], {
      stdio: ["ignore", "pipe", "inherit"],
    });

  test("at any moment: what was settled stays, with its news, and no news are lost", async () => {
    const path = join(folder(), "magpie.db");
    const said: string[] = [];
    for (let fence = 1; said.at(-1) !== "end"; fence++) {
      const child = drive(path, fence);
      const most = said.length + 150;
      child.stdout?.on("data", chunk => {
        said.push(...String(chunk).trim().split("\n"));
        if (said.length >= most) child.kill("SIGKILL");
      });
      await once(child, "close");
    }
    const pages = openEmbeddedSitePages(path);
    const all = await pages.list("a", { limit: 999 });
    expect(all).toHaveLength(400);
    expect(all.filter(({ title }) => title !== "read")).toEqual([]);
    expect(await pages.counts("a")).toMatchObject({ pages: 400, states: { there: 400, new: 0 } });
    // A page is settled once, since it is durable once it is said; what is told may be told again.
    const waiting = await pages.news("a", 0, 9999);
    const told = new Set([...said, ...waiting.map(({ post }) => post)]);
    const wanted = all.flatMap(({ key }) => [`one of ${key.slice(21)}`, `two of ${key.slice(21)}`]);
    expect(wanted.filter(post => !told.has(post))).toEqual([]);
    const settled = said.filter(text => /^\d+$/.test(text));
    expect(new Set(settled).size).toBe(settled.length);
    expect((await pages.open("a", 999)).memory).toMatch(/^after \d+$/);
    await pages.close();
  });
});
