import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type RequestOptions, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

let site: Site;
let magpie: Magpie;
let dataDir: string;
let isNews = false;
let isNewsOfSource = false;

/** Words of each owner that are nowhere else. */
const marks = { gone: "Zaunkönigin", stays: "Wiedehopfin", source: "Nachtigallin" };

const feedOf = (who: keyof typeof marks) => {
  const item = (n: number) =>
    `<item><guid>${n}</guid><title>${marks[who]} number ${n}</title><description>Said by ${marks[who]}.</description></item>`;
  return `<rss version="2.0"><channel><title>Feed of ${marks[who]}</title>${(who === "source" ? isNewsOfSource : isNews) ? item(2) : ""}${item(1)}</channel></rss>`;
};

const pageOf = (who: keyof typeof marks) =>
  `<!doctype html><html><head><title>${marks[who]}</title></head><body><main><h1>${marks[who]}</h1>
   <p>A page about ${marks[who]}, which says enough to be read.</p></main></body></html>`;

beforeAll(async () => {
  site = await startSite((request, response) => {
    const [, who = "", what = ""] = (request.url ?? "").split("/");
    if (who === "hook") return response.writeHead(200).end(`heard by ${what}`);
    if (!(who in marks)) return response.writeHead(404).end();
    const isFeed = what === "feed";
    const body = isFeed ? feedOf(who as "gone") : pageOf(who as "gone");
    return response
      .writeHead(200, { "content-type": isFeed ? "application/rss+xml" : "text/html; charset=utf-8" })
      .end(body);
  });
  const social = { ...toConfig({}).social, sandboxEveryMs: null };
  const webhooks = { allowHttp: true, backoffMs: [100] };
  const overrides = { social, webhooks, egressAllow: [`127.0.0.1:${site.port}`], pollMinIntervalMs: 1000 };
  magpie = await startMagpie(overrides, (config: Config) => {
    dataDir = config.dataDir;
    return [
      keysService(config),
      trackerService(config),
      connectorsService(config),
      scraperService(config),
      crawlerService(config),
      historyService(config),
      webhookDispatcherService(config),
      adminService(),
    ];
  });
});

afterAll(async () => {
  await magpie.stop();
  await site.close();
});

async function ask<Data>(method: string, path: string, options: RequestOptions): Promise<Data> {
  const reply = await magpie.request(method, path, options);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.json<Data & Record<string, unknown>>();
}

/** A key of an owner that leaves something of every kind that needs no browser and no network. */
async function fill(who: keyof typeof marks): Promise<{ id: string; key: string; owner: string }> {
  const owner = `${who} ${marks[who]}`;
  const body = { owner, name: marks[who], limits: { requestsPerMinute: 1_000_000 } };
  const { data: key } = await ask<{ data: { id: string; key: string } }>("POST", "/internal/keys", {
    admin: true,
    body,
  });
  const as = { key: key.key };
  await magpie.request("POST", `/internal/owners/${encodeURIComponent(owner)}/link`, { admin: true });
  await ask("POST", "/webhook", { ...as, body: { url: `${site.url}/hook/${marks[who]}`, name: marks[who] } });
  await ask("POST", "/feeds", { ...as, body: { name: marks[who] } });
  await ask("POST", "/track/rss", {
    ...as,
    body: { sid: `${site.url}/${who}/feed`, options: { tags: [marks[who]] } },
  });
  await ask("POST", "/track/batch", {
    ...as,
    body: { items: [{ source: "web", sid: `${site.url}/${who}/page` }] },
  });
  const { scrape_id } = await ask<{ scrape_id: string }>("POST", "/web/scrape", {
    ...as,
    body: { url: `${site.url}/${who}/page`, mode: "async", output: { formats: ["markdown", "changes"] } },
  });
  await until("the scrape ends", async () => {
    const { status } = await ask<{ status: string }>("GET", `/web/scrape/${scrape_id}`, as);
    return status === "completed";
  });
  const { crawl_id } = await ask<{ crawl_id: string }>("POST", "/web/crawl", {
    ...as,
    body: { url: `${site.url}/${who}/page`, crawler: { limit: 1 } },
  });
  await until("the crawl ends", async () => {
    const { status } = await ask<{ status: string }>("GET", `/web/crawl/${crawl_id}`, as);
    return status === "completed";
  });
  return { ...key, owner };
}

const eventsOf = async (key: string) =>
  (await ask<{ data: { type: string }[] }>("GET", "/events?limit=100", { key })).data;

/** Files of the data folder that hold a text. */
function filesWith(text: string): string[] {
  const files = globSync("**/*", { cwd: dataDir }).filter(name => statSync(join(dataDir, name)).isFile());
  return files.filter(name => readFileSync(join(dataDir, name)).includes(text));
}

const shadow = /^(history_words_|sqlite_)/;

/** The rows of all tables, as text. */
function rowsOf(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync("*.db", { cwd: dataDir })) {
    const path = join(dataDir, file);
    const database = openDatabase(path);
    for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all())
      if (!shadow.test(String(name)))
        found.set(
          String(name),
          database
            .prepare(`SELECT * FROM ${name}`)
            .all()
            .map(row => JSON.stringify(row)),
        );
    closeDatabase(path);
  }
  return found;
}

/** What an erasure has found, once it has ended. */
async function erased(body: object): Promise<{ kind: string; count: number }[]> {
  const reply = await magpie.request("POST", "/internal/erasures", { admin: true, body });
  expect(reply.status).toBe(202);
  const { id } = reply.json<{ data: { id: string } }>().data;
  type Shown = { data: { state: string; found: { kind: string; count: number }[] } };
  let shown: Shown["data"] | undefined;
  await until("it ends", async () => {
    shown = (await ask<Shown>("GET", `/internal/erasures/${id}`, { admin: true })).data;
    return shown.state !== "running";
  });
  expect(shown?.state).toBe("completed");
  return shown?.found ?? [];
}

test("an erased owner leaves nothing in any file or table, and others keep all of theirs", async () => {
  const gone = await fill("gone");
  const stays = await fill("stays");
  isNews = true;
  for (const { key } of [gone, stays])
    await until("its event is delivered", async () => {
      const delivered = await ask<{ data: unknown[] }>("GET", "/webhook/deliveries", { key });
      return delivered.data.length > 0 && (await eventsOf(key)).length > 0;
    });
  expect(filesWith(marks.gone)).not.toEqual([]);
  const before = rowsOf();
  const ofStaying = (rows: Map<string, string[]>) =>
    [...rows].map(([name, each]) => [name, each.filter(row => row.includes(stays.id)).length]);

  const count = (dry_run: boolean) => erased({ owner: gone.owner, dry_run });
  const counted = await count(true);
  expect(filesWith(marks.gone)).not.toEqual([]);
  expect(counted.map(({ kind }) => kind).sort()).toEqual([
    "acts",
    "batches",
    "changes",
    "crawls",
    "days of usage",
    "deliveries",
    "endpoints",
    "entries of batches",
    "events",
    "feeds",
    "keys",
    "owners",
    "scrapes",
    "subscriptions",
    "tallies",
  ]);
  await count(false);

  expect(await magpie.request("GET", "/events", { key: gone.key })).toHaveProperty("status", 401);
  for (const trace of [marks.gone, gone.owner, gone.id])
    expect(
      [...rowsOf()].filter(([, rows]) => rows.some(row => row.includes(trace))).map(([name]) => name),
    ).toEqual([]);
  for (const trace of [marks.gone, gone.owner]) expect(filesWith(trace)).toEqual([]);
  expect(ofStaying(rowsOf()).filter(([name]) => name !== "key_usage")).toEqual(
    ofStaying(before).filter(([name]) => name !== "key_usage"),
  );
  const { data: found } = await ask<{ data: unknown[] }>("GET", `/search?q=${marks.stays}`, {
    key: stays.key,
  });
  expect(found).not.toEqual([]);
}, 300_000);

test("an erased source goes for all keys: its events keep their places, and nothing else is touched", async () => {
  const feed = `${site.url}/source/feed`;
  const holders = await Promise.all(
    ["one", "two"].map(async name => {
      const body = { owner: "holder", name, limits: { requestsPerMinute: 1_000_000 } };
      const { data } = await ask<{ data: { key: string } }>("POST", "/internal/keys", { admin: true, body });
      const as = { key: data.key };
      await ask("POST", "/webhook", { ...as, body: { url: `${site.url}/hook/${name}` } });
      const tracked = await ask<{ data: { id: string } }>("POST", "/track/rss", {
        ...as,
        body: { sid: feed },
      });
      await ask("POST", "/track/rss", { ...as, body: { sid: `${site.url}/stays/feed` } });
      return { ...as, sourceId: tracked.data.id };
    }),
  );
  isNewsOfSource = true;
  type Told = {
    data: { seq: number; id: string; type: string; data: { source: { externalId: string } | null } }[];
  };
  const logOf = (key: string) => ask<Told>("GET", "/events?limit=100", { key });
  for (const { key } of holders) {
    await until("its event is there", async () => (await logOf(key)).data.length > 0);
    await ask("POST", "/webhook/test", { key });
    await until("all is delivered", async () => {
      const { data } = await ask<{ data: unknown[] }>("GET", "/webhook/deliveries", { key });
      return data.length >= 2;
    });
  }
  const before = await Promise.all(holders.map(({ key }) => logOf(key)));
  const source = { source: "rss", eid: feed };
  const found = await erased({ ...source, dry_run: true });
  expect(found).toEqual(
    expect.arrayContaining([
      { kind: "sources", count: 1 },
      { kind: "subscriptions", count: 2 },
      { kind: "pasts of sources", count: 1 },
      { kind: "events", count: 1 },
      { kind: "acts", count: 2 },
    ]),
  );
  expect(await Promise.all(holders.map(({ key }) => logOf(key)))).toEqual(before);
  expect(filesWith(marks.source)).not.toEqual([]);
  expect(await erased(source)).toEqual(found);

  const after = await Promise.all(holders.map(({ key }) => logOf(key)));
  const without = before.map(({ data, ...page }) => ({
    ...page,
    data: data.map(event =>
      event.data.source?.externalId === feed
        ? { ...event, type: "event.erased", data: { source: null } }
        : event,
    ),
  }));
  expect(after).toEqual(without);
  expect(after.flatMap(({ data }) => data).filter(({ type }) => type === "event.erased")).toHaveLength(2);
  expect(filesWith(marks.source)).toEqual([]);
  for (const trace of [marks.source, feed, holders[0]?.sourceId ?? ""])
    expect(
      [...rowsOf()].filter(([, rows]) => rows.some(row => row.includes(trace))).map(([name]) => name),
    ).toEqual([]);
  for (const { key } of holders) {
    const { data } = await ask<{ data: { externalId: string }[] }>("GET", "/track", { key });
    expect(data.map(({ externalId }) => externalId)).toEqual([`${site.url}/stays/feed`]);
    const { data: heard } = await ask<{ data: unknown[] }>("GET", `/search?q=${marks.stays}`, { key });
    expect(heard).not.toEqual([]);
  }
  expect(await erased(source)).toEqual([]);
}, 300_000);

test("the page of what is kept names every table, file, collection and place in Redis", () => {
  const page = readFileSync("docs/operations/what-is-kept.md", "utf8");
  const named = new Set(
    Array.from(page.matchAll(/^\|([^|]*)\|/gm), ([, cell = ""]) => cell.match(/`([^`]+)`/g) ?? []).flat(),
  );
  const isNamed = (name: string) => named.has(`\`${name}\``);
  expect([...rowsOf().keys()].filter(name => !isNamed(name))).toEqual([]);
  const files = globSync("*", { cwd: dataDir }).map(name => name.replace(/-(wal|shm|journal)$/, ""));
  const places = files.map(name =>
    statSync(join(dataDir, name), { throwIfNoEntry: false })?.isDirectory() ? `${name}/` : name,
  );
  expect(places.filter(name => !isNamed(name))).toEqual([]);
  const sources = globSync(["mixins/**/*.ts", "services/**/*.ts"])
    .map(file => readFileSync(file, "utf8"))
    .join("\n");
  const collections = Array.from(sources.matchAll(/\bname\("(\w+)"\)/g), ([, name = ""]) => name);
  expect(collections.filter(name => !isNamed(name) && !isNamed(`${name}.files`))).toEqual([]);
  const inRedis = Array.from(sources.matchAll(/amespace\}:([\w-]+)/g), ([, name = ""]) => name);
  expect(inRedis.length).toBeGreaterThan(6);
  const queues = Array.from(sources.matchAll(/\bqueue(?:<\w+>)?\("(\w+)"\)/g), ([, name = ""]) => name);
  expect([...inRedis, ...queues].filter(name => !isNamed(name))).toEqual([]);
});
