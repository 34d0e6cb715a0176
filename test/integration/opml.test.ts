import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { readOpml } from "../../services/domain/opml/read-opml.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import type { WatchTracker } from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** Written by hand: a change of the wire breaks them. */
interface Entry {
  line: number | null;
  outcome: string;
  title: string;
  source: string | null;
  sid: string | null;
  tags: string[];
  data?: { id: string; name: string };
  error?: { code: string; message: string };
}

interface Import {
  mode: string;
  dry_run: boolean;
  state: string;
  batch_id: string | null;
  added: number;
  kept: number;
  removed: number;
  pending: number;
  failed: number;
  entries: Entry[];
}

interface Row {
  id: string;
  source: string;
  externalId: string;
  tags: string[];
}

let site: Site;
let magpie: Magpie;
let made = 0;

const services = (config: Config) => [
  keysService(config),
  trackerService(config),
  connectorsService(config),
  scraperService(config),
];

beforeAll(async () => {
  site = await startSite((request, response) => {
    const [, folder, name = ""] = (request.url ?? "").split("/");
    if (folder === "old") return response.writeHead(301, { location: `/feed/${name}` }).end();
    if (folder === "searxng") return response.end('{"results":[]}');
    if (folder === "feed") return response.writeHead(200, { "content-type": "text/xml" }).end(feed(name));
    if (folder === "page")
      return response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<title>${name}</title><p>Stock: 7.`);
    return response.writeHead(404).end();
  });
  const env = { BROWSER_PATH: process.env.BROWSER_PATH, PATH: process.env.PATH };
  const { browser, searchPath, social } = toConfig(env);
  const overrides = {
    egressAllow: ["127.0.0.1/32"],
    searxngUrl: `${site.url}/searxng`,
    pollMinIntervalMs: 3_600_000,
    keysPerOwner: 1000,
    social: { ...social, sandboxEveryMs: null },
    browser,
    searchPath,
  };
  magpie = await startMagpie(overrides, services);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
});

function feed(name: string): string {
  return `<rss version="2.0"><channel><title>The feed ${name}</title><link>https://example.com/</link>
    <description>d</description><item><guid>g1</guid><title>t</title></item></channel></rss>`;
}

async function newKey(limits: object = {}): Promise<string> {
  made += 1;
  const body = { owner: `o${made}`, name: "n", limits: { requestsPerMinute: 1_000_000, ...limits } };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { key: string } }>().data.key;
}

const send = (key: string, body: string, query = "", type = "text/x-opml") =>
  magpie.request("POST", `/track/opml${query}`, { key, body, headers: { "content-type": type } });

/** Sends a document, and waits for the end of its batch. */
async function sent(key: string, body: string, query = ""): Promise<Import> {
  const reply = await send(key, body, query);
  expect([200, 202]).toContain(reply.status);
  const { data } = reply.json<{ data: Import }>();
  await ended(key, data.batch_id);
  return data;
}

async function ended(key: string, batchId: string | null): Promise<void> {
  if (batchId === null) return;
  await until("the batch has ended", async () => {
    const reply = await magpie.request("GET", `/track-batches/${batchId}`, { key });
    return reply.json<{ data: { state: string } }>().data.state === "completed";
  });
}

async function exported(key: string): Promise<string> {
  const reply = await magpie.request("GET", "/track/opml", { key });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/x-opml; charset=utf-8"]);
  return reply.text;
}

const rows = async (key: string) =>
  (await magpie.request("GET", "/track?limit=200", { key })).json<{ data: Row[] }>().data;
const paths = async (key: string) =>
  (await rows(key))
    .map(({ externalId, tags }) => [externalId.replace(site.url, ""), ...tags.toSorted()])
    .sort();

const opml = (outlines: string, attributes = "") =>
  `<opml version="2.0" ${attributes}><body>\n${outlines}\n</body></opml>`;
const outline = (name: string, folder = "feed") =>
  `<outline text="${name}" xmlUrl="${site.url}/${folder}/${name}"/>`;

function fixture(name: string): string {
  const path = join(import.meta.dirname, "../fixtures/opml", `${name}.opml`);
  return readFileSync(path, "utf8").replaceAll("ORIGIN", site.url);
}

/** What a document says, whatever the order and the lines. */
function said(text: string) {
  const reading = readOpml(text);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.entries
    .map(({ line: _, tags, ...entry }) => ({ ...entry, tags: tags.toSorted() }))
    .toSorted((a, b) => (a.sid < b.sid ? -1 : 1));
}

describe("the lists of other programs", () => {
  test.each(["miniflux", "freshrss", "netnewswire"])("%s: go in and come out equal", async name => {
    const key = await newKey();
    const data = await sent(key, fixture(name));
    expect(data).toMatchObject({ mode: "add", dry_run: false, added: 3, failed: 0 });
    expect(said(await exported(key))).toEqual(said(fixture(name)));
    const again = await sent(key, fixture(name), "?mode=sync");
    expect(again).toMatchObject({ added: 0, kept: 3, removed: 0, failed: 0, batch_id: null });
  });
});

test("our own list is the same after it went to another key", async () => {
  const [one, two] = [await newKey(), await newKey()];
  const track = (source: string, sid: string, tags: string[], options: object = {}) =>
    magpie.request("POST", `/track/${source}`, { key: one, body: { sid, options: { tags, ...options } } });
  await track("rss", `${site.url}/feed/a`, ["x", "y/z"]);
  await track("web", `${site.url}/page/b`, [], { paused: true, ignore: ["b"] });
  await track("site", `${site.url}/page/`, ["docs"], { limit: 5, include: ["/page/**"] });
  await track("search", "C++ jobs", ["x"], { domains: ["example.com"], interval: "1h" });
  await track("microblog", "magpie_daily", ["x"]);
  const list = await exported(one);
  const data = await sent(two, list);
  expect(data.entries.map(({ outcome, source }) => [outcome, source]).sort()).toEqual(
    (await rows(one)).map(({ source }) => ["added", source.toLowerCase()]).sort(),
  );
  expect(await exported(two)).toBe(list);
});

describe("an import", () => {
  test("says of each outline what becomes of it, by its line", async () => {
    const key = await newKey();
    const document = opml(
      [
        outline("kept"),
        outline("new"),
        `<outline text="gone" xmlUrl="${site.url}/none/gone"/>`,
        `<outline type="rss" text="blank"/>`,
      ].join("\n"),
    );
    await sent(key, opml(`<outline text="A">${outline("kept")}</outline>`));
    const reply = await send(key, document);
    expect(reply.status).toBe(200);
    const { data, message } = reply.json<{ data: Import; message: string }>();
    expect(data.entries).toEqual([
      expect.objectContaining({ line: 2, outcome: "kept", title: "kept", tags: ["A"] }),
      expect.objectContaining({
        line: 3,
        outcome: "added",
        source: "rss",
        sid: `${site.url}/feed/new`,
        data: expect.objectContaining({ name: "The feed new" }),
      }),
      expect.objectContaining({
        line: 4,
        outcome: "failed",
        error: { code: "not_found", message: expect.any(String) },
      }),
      expect.objectContaining({
        line: 5,
        outcome: "failed",
        title: "blank",
        source: null,
        sid: null,
        error: { code: "validation_failed", message: expect.stringContaining("xmlUrl") },
      }),
    ]);
    expect(message).toBe("Sources: 1 added, 1 kept, 2 failed.");
    const batch = await magpie.request("GET", `/track-batches/${data.batch_id}`, { key });
    expect(batch.json<{ data: { entries: object[] } }>().data.entries).toMatchObject([
      { number: 0, line: 3, status: "tracked" },
      { number: 1, line: 4, status: "failed" },
    ]);
  });

  test("adds tags, and takes none away", async () => {
    const key = await newKey();
    await sent(key, opml(`<outline text="A">${outline("a")}</outline>`));
    await sent(key, opml(`<outline text="B">${outline("a")}</outline>`));
    expect(await paths(key)).toEqual([["/feed/a", "A", "B"]]);
  });

  test("changes nothing when it only asks", async () => {
    const key = await newKey();
    await sent(key, opml(outline("a") + outline("b")));
    const before = await exported(key);
    const document = opml(`<outline text="T">${outline("b")}${outline("c")}</outline>`);
    const data = await sent(key, document, "?mode=sync&dry_run=true");
    expect(data).toMatchObject({ dry_run: true, batch_id: null, added: 1, kept: 1, removed: 1, failed: 0 });
    expect(data.entries.map(({ line, outcome, title }) => [line, outcome, title])).toEqual([
      [2, "kept", "b"],
      [2, "added", "c"],
      [null, "removed", "a"],
    ]);
    expect(await exported(key)).toBe(before);
  });

  test("reads what declares its encoding", async () => {
    const key = await newKey();
    const text = `<?xml version="1.0" encoding="iso-8859-1"?>${opml(`<outline text="Vögel">${outline("a")}</outline>`)}`;
    const reply = await fetch(`${magpie.url}/track/opml`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: Buffer.from(text, "latin1"),
    });
    expect(reply.status).toBe(200);
    expect(await paths(key)).toEqual([["/feed/a", "Vögel"]]);
  });

  test("tracks as many as the key may", async () => {
    const key = await newKey({ trackedSources: 2 });
    const data = await sent(key, opml(["a", "b", "c"].map(name => outline(name)).join("\n")));
    expect(data).toMatchObject({ added: 2, failed: 1 });
    expect(data.entries.find(({ outcome }) => outcome === "failed")?.error?.code).toBe("forbidden");
  });
});

describe("a sync", () => {
  test("leaves the feeds that the document does not name, and gives those it names its tags", async () => {
    const key = await newKey();
    await sent(key, opml(`<outline text="A">${outline("a")}${outline("b")}</outline>${outline("c")}`));
    await magpie.request("POST", "/track/web", { key, body: { sid: `${site.url}/page/p` } });
    await magpie.request("POST", "/track/microblog", { key, body: { sid: "magpie_daily" } });
    const document = opml(`<outline text="B">${outline("b")}${outline("d")}</outline>`);
    const data = await sent(key, document, "?mode=sync");
    expect(data).toMatchObject({ mode: "sync", failed: 0 });
    const left = await paths(key);
    expect(left.filter(([path]) => path?.startsWith("/"))).toEqual([
      ["/feed/b", "B"],
      ["/feed/d", "B"],
      ["/page/p"],
    ]);
    expect(left).toHaveLength(4);
  });

  test("with a document of our own leaves pages, too, and accounts never", async () => {
    const key = await newKey();
    await magpie.request("POST", "/track/web", { key, body: { sid: `${site.url}/page/p` } });
    await magpie.request("POST", "/track/search", { key, body: { sid: "storks" } });
    await magpie.request("POST", "/track/microblog", { key, body: { sid: "magpie_daily" } });
    const data = await sent(key, opml(outline("a"), 'xmlns:magpie="urn:magpie:opml"'), "?mode=sync");
    expect(data.failed).toBe(0);
    expect((await rows(key)).map(({ source }) => source).sort()).toEqual(["MICROBLOG", "RSS"]);
  });

  test("keeps a feed that the document has under an address from which it has moved", async () => {
    const key = await newKey();
    const { data: feed } = (
      await magpie.request("POST", "/track/rss", { key, body: { sid: `${site.url}/feed/moved` } })
    ).json<{ data: Row }>();
    const first = await sent(key, opml(outline("moved", "old") + outline("other")), "?mode=sync");
    expect(first.failed).toBe(0);
    const kept = (await rows(key)).find(({ externalId }) => externalId.endsWith("/moved"));
    expect(kept?.id).toBe(feed.id);
    expect(await rows(key)).toHaveLength(2);
    const again = await sent(key, opml(outline("moved", "old") + outline("other")), "?mode=sync");
    expect(again).toMatchObject({ kept: 2, removed: 0, batch_id: null });
  });

  test("with a document that names nothing is refused", async () => {
    const key = await newKey();
    await sent(key, opml(outline("a")));
    const reply = await send(key, opml(""), "?mode=sync");
    expect([reply.status, reply.json<{ details: object[] }>().details]).toMatchObject([
      400,
      [{ field: "body" }],
    ]);
    expect(await rows(key)).toHaveLength(1);
  });
});

describe("what is wrong is refused, and names the field", () => {
  test.each([
    ["no markup", "feeds", "", 400, "body"],
    ["a document that ends early", '<opml><body><outline text="', "", 400, "body"],
    ["entities", '<!DOCTYPE opml [<!ENTITY a "b">]><opml/>', "", 400, "body"],
    ["depth", `<opml>${"<outline>".repeat(10_000)}`, "", 400, "body"],
    ["another mode", "<opml/>", "?mode=replace", 400, "mode"],
    ["no boolean", "<opml/>", "?dry_run=maybe", 400, "dry_run"],
    ["another parameter", "<opml/>", "?colour=blue", 400, "colour"],
    ["a body in the query", "<opml/>", "?body=x", 400, "body"],
  ])("%s", async (_, body, query, status, field) => {
    const reply = await send(await newKey(), body, query);
    expect([reply.status, reply.json<{ details: object[] }>().details]).toMatchObject([status, [{ field }]]);
  });

  test("20 MB", async () => {
    const reply = await send(await newKey(), `<opml>${" ".repeat(20 * 1024 * 1024)}</opml>`);
    expect([reply.status, reply.json().message]).toEqual([413, "The body may have at most 4 MB."]);
  });

  test("nobody", async () => {
    expect((await magpie.request("GET", "/track/opml", { key: null })).status).toBe(401);
    expect((await magpie.request("POST", "/track/opml", { key: null, body: "<opml/>" })).status).toBe(401);
  });
});

test("a thousand feeds of a host that does not answer do not delay those of another", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let open = 0;
  let most = 0;
  const slow = await startSite(async (_, response) => {
    open += 1;
    most = Math.max(most, open);
    asked.resolve();
    await answer.promise;
    open -= 1;
    response.writeHead(404).end();
  });
  try {
    const [importer, other] = [await newKey(), await newKey()];
    const thousand = Array.from(
      { length: 1000 },
      (_, n) => `<outline text="${n}" xmlUrl="${slow.url}/${n}"/>`,
    );
    const reply = send(importer, opml(thousand.join("\n")));
    await asked.promise;
    const { entries } = (magpie.broker.getLocalService("tracker") as unknown as WatchTracker).context;
    await until("the hundredth feed has had its turn, although none was answered", async () => {
      const entry = await entries.findOne({ "wanted.sid": `${slow.url}/100` });
      return entry?.dueAt !== undefined && entry.dueAt > entry.createdAt + (entry.number + 1) * 20;
    });
    await until("the host holds its share of the work, and no more", async () => {
      const leased = await entries.find({ query: { status: "pending", lease: { $exists: true } } });
      return leased.filter(({ wanted }) => wanted.sid.startsWith(slow.url)).length <= 8;
    });
    const data = await sent(other, opml(["a", "b", "c"].map(name => outline(name)).join("\n")));
    expect(data.failed).toBe(0);
    expect(await rows(other)).toHaveLength(3);
    const body = (await reply).json<{ data: Import }>();
    expect([(await reply).status, body.data]).toMatchObject([202, { state: "running", pending: 1000 }]);
    expect(most).toBeLessThanOrEqual(8);
  } finally {
    answer.resolve();
    await slow.close();
  }
});
