import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { ulid } from "ulid";
import type { WithHistory } from "../../mixins/history/history.mixin.ts";
import type { CheckRun, NewVersion, ValueRun } from "../../mixins/history/history.ts";
import { actions } from "../../services/contracts/action.ts";
import { fail } from "../../services/contracts/errors.ts";
import * as held from "../../services/contracts/held-source.contract.ts";
import { screenshot } from "../../services/contracts/scraper.contract.ts";
import { operations } from "../../services/contracts/service.ts";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

const day = 86_400_000;
const now = Date.parse("2026-03-31T12:00:00Z");
const began = now - 20 * day;

/** What the tracker of this test holds; the key tracks no other source. */
const sources = new Map<string, held.HeldSource>();
let magpie: Magpie;
let history: WithHistory["history"];

beforeAll(async () => {
  magpie = await startMagpie({}, config => [
    keysService(config),
    tracker(),
    scraper(),
    historyService(config, () => now),
  ]);
  history = (magpie.broker.getLocalService("history") as unknown as WithHistory).history;
});
afterAll(() => magpie.stop());

function tracker() {
  const { internal } = operations(() => sources);
  return {
    name: "tracker",
    actions: actions(
      internal(held.heldSource, (all, { id = "" }) => ({ held: all.get(id) ?? notTracked() })),
      internal(held.heldSources, all => ({
        data: [...all.values()].map(({ id, shown, readsFrom }) => ({
          ...{ id, readsFrom, tags: shown.tags },
          kind: shown.source.toLowerCase() as held.HeldMark["kind"],
        })),
        next: null,
      })),
      internal(held.shownSources, (all, { ids }) => ({ data: ids.flatMap(id => all.get(id)?.shown ?? []) })),
      internal(held.forgetPast, async (all, { id }) => {
        const found = all.get(id) ?? notTracked();
        all.set(id, { ...found, readsFrom: now });
        await history.erase(id, now);
        return null;
      }),
    ),
  };
}

/** It has one picture. */
function scraper() {
  const { published } = operations(() => "a-picture.seen");
  return {
    name: "scraper",
    actions: actions(
      published(screenshot, (known, { key }) => {
        if (key !== known)
          throw fail("not_found", "There is no screenshot with this key, or it has expired.");
        return Readable.from([Buffer.from("the picture")]);
      }),
    ),
  };
}

function notTracked(): never {
  throw fail("not_found", "The key does not track this source.");
}

function shownPage(id: string): TrackedSource {
  return {
    id,
    source: "WEB",
    externalId: "https://shop.example/lamp",
    username: "shop.example",
    name: "Desk lamp",
    health: "ok",
    failures: 0,
    problem: null,
    polled_at: new Date(now).toISOString(),
    due_at: new Date(now + 3_600_000).toISOString(),
    last_event_at: null,
    muted: [],
    tags: [],
    tracked_at: new Date(began).toISOString(),
  } as unknown as TrackedSource;
}

function holds(id: string, more: Partial<held.HeldSource> = {}): void {
  const usual = { view: {}, readsFrom: began, run: null, values: [], muted: [] };
  sources.set(id, { id, shown: shownPage(id), ...usual, ...more });
}

const pageOf = (price: string, more = "") =>
  `<!doctype html><html lang="en"><head><title>Desk lamp</title></head><body><main><h1>Desk lamp</h1>` +
  `<p class="price">€ ${price}</p><p>The lamp for the desk, made of brass and ash.</p>${more}</main></body></html>`;

function version(sourceId: string, at: number, content: string, more: Partial<NewVersion> = {}): NewVersion {
  return {
    id: ulid(at),
    sourceId,
    at,
    hash: createHash("sha256").update(content).digest("hex"),
    title: "Desk lamp",
    outcome: "changed",
    reason: "1 line added, 1 line removed.",
    content: Buffer.from(content),
    words: content.replace(/<[^>]*>/g, " "),
    ...more,
  };
}

async function get<Body = { data: Record<string, unknown>[]; next_cursor: string | null }>(path: string) {
  const reply = await magpie.request("GET", path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.json<Body>();
}

interface Row {
  id: string;
  at: string;
  until: string | null;
  outcome: string;
  event_id: string | null;
}

/** A page with four versions, of which the key may read the last three. */
async function lamp(id: string): Promise<NewVersion[]> {
  holds(id);
  const made = { eventId: "body", eventAt: began + 2 * day };
  const versions = [
    version(id, began - 5 * day, pageOf("59.90"), { outcome: "first" }),
    version(id, began - 2 * day, pageOf("54.90"), { eventId: "earlier", eventAt: began - 2 * day }),
    version(id, began + 2 * day, pageOf("49.90"), made),
    version(
      id,
      began + 8 * day,
      pageOf("39.90", '<script>alert("x")</script><p onclick="alert(1)">In stock</p>'),
    ),
  ];
  for (const each of versions) await history.add([each]);
  return versions;
}

test("the past of a key begins with the version that was there when it began", async () => {
  const [, first, second, third] = await lamp("lamp");
  const { data, next_cursor } = await get<{ data: Row[]; next_cursor: null }>("/sources/lamp/versions");
  expect(next_cursor).toBeNull();
  expect(data.map(({ id, outcome }) => [id, outcome])).toEqual([
    [third?.id, "changed"],
    [second?.id, "changed"],
    [first?.id, "first"],
  ]);
  expect(data.map(({ event_id }) => event_id)).toEqual([null, expect.stringMatching(/^evt_/), null]);
  expect(data.map(({ until }) => until)).toEqual([null, data[0]?.at, data[1]?.at]);
});

test("a page at a time", async () => {
  await lamp("paged");
  const whole = (await get<{ data: Row[] }>("/sources/paged/versions")).data;
  const read: Row[] = [];
  for (let cursor = ""; ; ) {
    const page = await get<{ data: Row[]; next_cursor: string | null }>(
      `/sources/paged/versions?limit=1${cursor && `&cursor=${cursor}`}`,
    );
    read.push(...page.data);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(read).toEqual(whole);
  const other = await magpie.request("GET", "/sources/paged/versions?cursor=x");
  expect([other.status, other.text]).toEqual([400, expect.stringContaining("`cursor`")]);
});

test("what it said at a time", async () => {
  const [, first, second, third] = await lamp("then");
  const at = async (ms: number) =>
    (await get<{ data: Row[] }>(`/sources/then/versions?at=${new Date(ms).toISOString()}`)).data.map(
      ({ id }) => id,
    );
  expect(await at(began - 1)).toEqual([]);
  expect(await at(began)).toEqual([first?.id]);
  expect(await at(began + 2 * day - 1)).toEqual([first?.id]);
  expect(await at(began + 2 * day)).toEqual([second?.id]);
  expect(await at(now)).toEqual([third?.id]);
  const day1 = new Date(began + 3 * day).toISOString().slice(0, 10);
  expect((await get<{ data: Row[] }>(`/sources/then/versions?at=${day1}`)).data[0]?.id).toBe(second?.id);
});

test("versions in which nothing counted are listed with `all`", async () => {
  await lamp("quiet");
  await history.add([version("quiet", began + 9 * day, pageOf("39.90", "<!-- 1 -->"), { outcome: "same" })]);
  expect((await get("/sources/quiet/versions")).data).toHaveLength(3);
  expect((await get("/sources/quiet/versions?all=true")).data).toHaveLength(4);
});

test("a version in each form, made of the kept page", async () => {
  const [, , second] = await lamp("forms");
  const path = `/sources/forms/versions/${second?.id}`;
  const { data } = await get<{ data: { text: string; markdown: string; has_picture: boolean } }>(path);
  expect(data.text).toContain("€ 49.90");
  expect(data.markdown).toMatch(/^# Desk lamp\n/);
  expect(data.has_picture).toBe(false);
  const text = await magpie.request("GET", `${path}?as=text`);
  expect([text.headers.get("content-type"), text.text.trim()]).toEqual([
    "text/plain; charset=utf-8",
    data.text.trim(),
  ]);
  const markdown = await magpie.request("GET", `${path}?as=markdown`);
  expect([markdown.headers.get("content-type"), markdown.text]).toEqual([
    "text/markdown; charset=utf-8",
    data.markdown,
  ]);
  const picture = await magpie.request("GET", `${path}?as=picture`);
  expect([picture.status, picture.json().message]).toEqual([
    404,
    expect.stringContaining("options.screenshot"),
  ]);
});

test("a version as a picture", async () => {
  holds("seen");
  const taken = version("seen", now - day, pageOf("1.00"), { picture: "a-picture.seen" });
  await history.add([taken]);
  const { data } = await get<{ data: { has_picture: boolean } }>(`/sources/seen/versions/${taken.id}`);
  expect(data.has_picture).toBe(true);
  const picture = await magpie.request("GET", `/sources/seen/versions/${taken.id}?as=picture`);
  expect([picture.headers.get("content-type"), picture.text]).toEqual(["image/png", "the picture"]);
});

test.each<[string, number, Partial<NewVersion>]>([
  ["after four days", now - 4 * day, { picture: "a-picture.old" }],
  ["where another source has brought the version along", now - day, { picture: "a-picture.seen" }],
])("a version has no picture %s", async (_, at, more) => {
  holds("old");
  await history.erase("old");
  const gone = version("old", at, pageOf("2.00"), more);
  await history.add([gone]);
  const { data } = await get<{ data: { has_picture: boolean } }>(`/sources/old/versions/${gone.id}`);
  expect(data.has_picture).toBe(false);
  const picture = await magpie.request("GET", `/sources/old/versions/${gone.id}?as=picture`);
  expect([picture.status, picture.json().message]).toEqual([
    404,
    expect.stringContaining("is no longer kept"),
  ]);
});

test("the picture of a version that waited for its event is kept from the event on", async () => {
  holds("waited");
  const more = { picture: "a-picture.waited", eventId: "told", eventAt: now - day };
  const told = version("waited", now - 5 * day, pageOf("3.00"), more);
  await history.add([told]);
  const { data } = await get<{ data: { has_picture: boolean } }>(`/sources/waited/versions/${told.id}`);
  expect(data.has_picture).toBe(true);
});

test("the HTML of a kept page has no rights in the origin of the service", async () => {
  const [, , , third] = await lamp("html");
  for (const path of [`/sources/html/versions/${third?.id}?as=html`, "/sources/html/diff?as=html"]) {
    const { headers, status, text } = await magpie.request("GET", path);
    expect([status, text]).toEqual([200, expect.stringContaining("39.90")]);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^sandbox; default-src 'none';/);
    expect(policy).not.toMatch(/allow-|script-src|unsafe-eval/);
  }
});

test("other versions are a 404: earlier ones, those of others, and sources that the key does not track", async () => {
  const [zeroth] = await lamp("mine");
  const [, , other] = await lamp("theirs");
  const status = async (path: string) => (await magpie.request("GET", path)).status;
  expect(await status(`/sources/mine/versions/${zeroth?.id}`)).toBe(404);
  expect(await status(`/sources/mine/versions/${other?.id}`)).toBe(404);
  expect(await status(`/sources/mine/versions/${ulid(now)}`)).toBe(404);
  for (const path of ["", "/checks", "/versions", `/versions/${zeroth?.id}`, "/diff", "/values"])
    expect([path, await status(`/sources/unknown${path}`)]).toEqual([path, 404]);
  expect((await magpie.request("POST", "/sources/unknown/rehearse", { body: {} })).status).toBe(404);
  expect((await magpie.request("DELETE", "/sources/unknown/versions")).status).toBe(404);
});

test("how two versions differ, by words", async () => {
  const [, first, second, third] = await lamp("diff");
  type Diff = { data: { from: string; to: string; added: string[]; removed: string[]; lines: unknown[] } };
  const { data } = await get<Diff>("/sources/diff/diff");
  expect([data.from, data.to]).toEqual([second?.id, third?.id]);
  expect(data.added).toEqual(["€ 39.90", "In stock"]);
  expect(data.lines).toContainEqual({
    kind: "changed",
    parts: [
      { kind: "same", text: "€ " },
      { kind: "removed", text: "49.90" },
      { kind: "added", text: "39.90" },
    ],
  });
  const wide = await get<Diff>(`/sources/diff/diff?from=${first?.id}&to=${third?.id}`);
  expect(wide.data.removed).toEqual(["€ 54.90"]);
  const patch = await magpie.request("GET", "/sources/diff/diff?as=unified");
  expect(patch.text).toContain("-€ 49.90\n+€ 39.90");
  const oldest = await get<Diff>(`/sources/diff/diff?to=${first?.id}`);
  expect([oldest.data.from, oldest.data.removed]).toEqual([null, []]);
});

test("the view of the key decides what a version says", async () => {
  const [, , second] = await lamp("view");
  holds("view", { view: { select: [".price"] } });
  const { data } = await get<{ data: { text: string } }>(`/sources/view/versions/${second?.id}`);
  expect(data.text.trim()).toBe("€ 49.90");
});

const run = (sourceId: string, first: number, more: Partial<CheckRun> = {}): CheckRun => ({
  sourceId,
  first,
  last: first + day,
  count: 24,
  outcome: "same",
  reason: "Nothing has changed that counts.",
  status: 200,
  engine: "http",
  tookMs: 120,
  ...more,
});

test("checks in a row are one row, and the growing run comes first", async () => {
  const id = "checked";
  const growing = run(id, began + 9 * day, {
    outcome: "failed",
    reason: "The site answered with status 503.",
    status: 503,
  });
  const { sourceId: _, ...current } = growing;
  holds(id, { run: current });
  const made = {
    outcome: "changed",
    reason: "1 line added.",
    eventId: "body",
    eventAt: began + 4 * day,
  } as const;
  await history.addChecks([
    run(id, began - 3 * day),
    run(id, began + day, { versionId: "a" }),
    run(id, began + 2.5 * day, { versionId: "b" }),
    run(id, began + 4 * day, { ...made, count: 1, last: began + 4 * day }),
    run(id, began + 5 * day),
  ]);
  type Checks = {
    data: { outcome: string; checks: number; event_id: string | null }[];
    next_cursor: string | null;
  };
  const { data } = await get<Checks>("/sources/checked/checks");
  expect(data.map(({ outcome, checks }) => [outcome, checks])).toEqual([
    ["failed", 24],
    ["same", 24],
    ["changed", 1],
    ["same", 48],
  ]);
  expect(data[2]?.event_id).toMatch(/^evt_/);
  const paged: Checks["data"] = [];
  for (let cursor = ""; ; ) {
    const page = await get<Checks>(`/sources/checked/checks?limit=1${cursor && `&cursor=${cursor}`}`);
    paged.push(...page.data);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(data);
  const failed = await get<Checks>("/sources/checked/checks?outcome=changed");
  expect(failed.data.map(({ outcome }) => outcome)).toEqual(["changed"]);
});

test("values over time, as points and for spreadsheets", async () => {
  const id = "valued";
  const value = (field: string, value: ValueRun["value"], first: number, last: number) => ({
    field,
    value,
    first,
    last,
  });
  holds(id, { values: [value("value", 39.9, began + 8 * day, now)] });
  await history.addValues(
    [
      value("value", 54.9, began - day, began + 2 * day - 1),
      value("value", 49.9, began + 2 * day, began + 8 * day - 1),
      value("name", "=cmd()", began, began + day),
    ].map(each => ({ sourceId: id, ...each })),
  );
  type Values = { data: { at: string; field: string; value: unknown }[] };
  const { data } = await get<Values>("/sources/valued/values?field=value");
  expect(data.map(point => [Date.parse(point.at) - began, point.value])).toEqual([
    [0, 54.9],
    [2 * day, 49.9],
    [8 * day, 39.9],
  ]);
  const daily = await get<Values>("/sources/valued/values?field=value&every=1d");
  expect(daily.data.length).toBe(21);
  const csv = await magpie.request("GET", "/sources/valued/values?as=csv&field=name");
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(csv.text).toMatch(/^at,field,value\r\n.*,name,'=cmd\(\)\r\n$/);
});

test("the source itself", async () => {
  await lamp("itself");
  const values = [{ field: "value", value: 39.9, first: began, last: now }];
  holds("itself", { values });
  const { data } = await get<{ data: Record<string, unknown> }>("/sources/itself");
  expect(data).toMatchObject({
    id: "itself",
    name: "Desk lamp",
    last_check: null,
    interval_ms: 3_600_000,
    versions: 4,
    events: 2,
    values: { value: 39.9 },
    watched_from: new Date(began).toISOString(),
  });
});

test("options are tried on the past", async () => {
  await lamp("tried");
  const body = { options: { select: [".price"], when: { value: { below: 45 } } } };
  type Answer = { data: { fired: number; events: { at: string; reason: string }[]; why: string } };
  const reply = await magpie.request("POST", "/sources/tried/rehearse", { body });
  const { data } = reply.json<Answer>();
  expect([reply.status, data.fired, data.why]).toEqual([
    200,
    1,
    "In the 20 days that are kept this would have fired once.",
  ]);
  expect(data.events[0]).toMatchObject({
    at: new Date(began + 8 * day).toISOString(),
    reason: expect.stringContaining("below 45"),
  });
  const asItIs = await magpie.request("POST", "/sources/tried/rehearse", { body: {} });
  expect(asItIs.json<Answer>().data.fired).toBe(2);
  const short = await magpie.request("POST", "/sources/tried/rehearse", { body: { days: 1 } });
  expect(short.json<Answer>().data).toMatchObject({
    fired: 0,
    why: "In the last day this would never have fired.",
  });
});

describe("a feed", () => {
  const item = (text: string, title = "Nest boxes") =>
    JSON.stringify({
      title,
      url: "https://journal.example/1",
      author: "Ada",
      text,
      enclosures: [{ url: "magnet:?a" }],
    });
  const said = (at: number, content: string, more: Partial<NewVersion>) => version("feed", at, content, more);
  let versions: NewVersion[];

  beforeAll(async () => {
    holds("feed", {
      shown: { ...shownPage("feed"), source: "RSS", externalId: "https://journal.example/feed" },
    });
    versions = [
      said(began + day, item("Old news", "Before"), { item: "0", outcome: "first" }),
      said(began + 2 * day, item("Twelve boxes for € 40"), { item: "1" }),
      said(began + 3 * day, item("Feeders for € 90", "Feeders"), { item: "2" }),
      said(began + 4 * day, item("Fourteen boxes for € 40\n\n**Sold out**"), { item: "1" }),
    ];
    await history.add(versions);
  });

  test("has versions of its items, each until the next one of the item", async () => {
    const { data } = await get<{ data: (Row & { item: string })[] }>("/sources/feed/versions?item=1");
    expect(data.map(({ id, until }) => [id, until])).toEqual([
      [versions[3]?.id, null],
      [versions[1]?.id, data[0]?.at],
    ]);
    const all = (await get<{ data: (Row & { item: string })[] }>("/sources/feed/versions")).data;
    expect(all.map(each => [each.item, each.until])).toEqual([
      ["1", null],
      ["2", null],
      ["1", all[0]?.at],
      ["0", null],
    ]);
  });

  test("an item reads as Markdown, text and a page without markup of its own", async () => {
    const path = `/sources/feed/versions/${versions[3]?.id}`;
    const markdown = (await magpie.request("GET", `${path}?as=markdown`)).text;
    expect(markdown).toBe(
      "# Nest boxes\n\nAda · https://journal.example/1\n\nFourteen boxes for € 40\n\n**Sold out**\n\n- magnet:?a",
    );
    expect((await magpie.request("GET", `${path}?as=html`)).text).toContain("<p>**Sold out**</p>");
  });

  test("a version of an item is compared with the one before of the same item", async () => {
    const { data } = await get<{ data: { from: string; added: string[] } }>(
      `/sources/feed/diff?to=${versions[3]?.id}`,
    );
    expect(data).toMatchObject({ from: versions[1]?.id, added: ["Fourteen boxes for € 40", "**Sold out**"] });
    const mixed = await magpie.request(
      "GET",
      `/sources/feed/diff?from=${versions[2]?.id}&to=${versions[3]?.id}`,
    );
    expect(mixed.status).toBe(400);
  });

  test("options are tried on its items", async () => {
    const fired = async (options: object) => {
      const reply = await magpie.request("POST", "/sources/feed/rehearse", { body: { options } });
      return reply.json<{ data: { events: { version: string }[] } }>().data.events.map(each => each.version);
    };
    expect(await fired({})).toEqual([versions[3]?.id, versions[2]?.id, versions[1]?.id]);
    expect(await fired({ ignore: ["sold out"] })).toEqual([versions[2]?.id, versions[1]?.id]);
    expect(await fired({ when: { added_only: true } })).toEqual([versions[2]?.id, versions[1]?.id]);
    expect(await fired({ when: { value: { below: 50 } } })).toEqual([versions[3]?.id, versions[1]?.id]);
  });
});

test("erasing leaves the latest version", async () => {
  const [, , , third] = await lamp("erased");
  expect((await magpie.request("DELETE", "/sources/erased/versions")).status).toBe(204);
  const { data } = await get<{ data: Row[] }>("/sources/erased/versions");
  expect(data.map(({ id, outcome }) => [id, outcome])).toEqual([[third?.id, "first"]]);
});

describe("a search", () => {
  interface Passage {
    kind: string;
    title: string;
    passage: string;
    version: string | null;
    event_id: string | null;
    source: { id: string };
    url: string | null;
  }
  const search = async (q: string, more = "") =>
    await get<{ data: Passage[]; next_cursor: string | null }>(`/search?q=${encodeURIComponent(q)}${more}`);
  const found = async (q: string) => (await search(q)).data.map(({ version }) => version);
  const words = (sourceId: string, at: number, said: string, more: Partial<NewVersion> = {}) =>
    version(sourceId, at, `${sourceId} ${at} ${said}`, { words: said, ...more });
  let versions: NewVersion[];

  beforeAll(async () => {
    sources.clear();
    holds("shop");
    holds("chat", { shown: { ...shownPage("chat"), source: "CHATSERVER", tags: ["work"] } });
    versions = [
      words("shop", began - 5 * day, "The walnut table of long ago"),
      words("shop", began - 2 * day, "The walnut table is made to order"),
      words("shop", began + 2 * day, "Sold out: the walnut table", {
        eventId: "b",
        eventAt: began + 2 * day,
      }),
      words("shop", began + 8 * day, "The walnut table is back in stock, 東京から発送"),
      words("untracked", began + 9 * day, "The walnut table of others"),
    ];
    await history.add(versions);
    await history.addEvents([
      {
        ...{ id: "post", kind: "event", sourceId: "chat", at: began + 3 * day, title: "Ada in corvids" },
        ...{ text: "Ada in corvids\nWho wants a walnut table?", url: "https://chat.example/1" },
      },
      {
        id: "early",
        kind: "event",
        sourceId: "chat",
        at: began - day,
        title: "Ada",
        text: "An early walnut table",
      },
    ]);
  });

  test("finds what was new, newest first, in the key's sources and from its time on", async () => {
    const { data } = await search('"walnut table"');
    expect(data.map(({ kind, version: id }) => [kind, id])).toEqual([
      ["version", versions[3]?.id],
      ["event", null],
      ["version", versions[2]?.id],
      ["version", versions[1]?.id],
    ]);
    expect(data[0]?.passage).toBe("The **walnut table** is back in stock, 東京から発送");
    expect(data.map(({ event_id }) => event_id?.slice(0, 4) ?? null)).toEqual([null, "evt_", "evt_", null]);
    expect([data[1]?.source.id, data[1]?.title, data[1]?.url]).toEqual([
      "chat",
      "Ada in corvids",
      "https://chat.example/1",
    ]);
  });

  test.each([
    ["walnut -sold -order source:shop", [3]],
    ["sto* tab*", [3]],
    ["発送", [3]],
    ["walnut source:WEB -back", [2, 1]],
    ["walnut tag:home", []],
    ["nothing", []],
  ])("%s", async (q, expected) => {
    expect(await found(q)).toEqual(expected.map(n => versions[n]?.id));
  });

  test("by tags and times", async () => {
    expect((await search("walnut tag:work")).data.map(({ kind }) => kind)).toEqual(["event"]);
    const from = new Date(began + 4 * day).toISOString();
    expect(await found(`walnut after:${from}`)).toEqual([versions[3]?.id]);
    expect((await search(`walnut before:${from} source:chat`)).data).toHaveLength(1);
  });

  test("a page at a time", async () => {
    const whole = (await search("walnut")).data;
    const read: Passage[] = [];
    for (let cursor = ""; ; ) {
      const page = await search("walnut", `&limit=1${cursor && `&cursor=${cursor}`}`);
      read.push(...page.data);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(read).toEqual(whole);
  });

  test("what is erased is not found", async () => {
    await history.prune("shop", { before: began + 5 * day, versions: 99, bytes: 1e9, eventsFrom: now });
    expect(await found("walnut source:shop")).toEqual([versions[3]?.id, versions[2]?.id]);
    expect(await history.pruneEvents(now)).toBe(2);
    expect((await search("walnut source:chat")).data).toEqual([]);
  });

  test.each(["-walnut", "tag:work", "walnut after:soon"])("%s is a 400 that says why", async q => {
    const reply = await magpie.request("GET", `/search?q=${encodeURIComponent(q)}`);
    expect([reply.status, reply.json<{ details: { field: string }[] }>().details[0]?.field]).toEqual([
      400,
      "q",
    ]);
  });
});

test.each([
  ["/search?q=a&cursor=x", "cursor"],
  ["/sources/lamp/versions?at=yesterday", "at"],
  ["/sources/lamp/versions/12", "version"],
  ["/sources/lamp/checks?cursor=x", "cursor"],
  ["/sources/lamp/values?every=5s", "every"],
  ["/sources/lamp/values?from=2026-03-02&to=2026-03-01", "to"],
  ["/sources/lamp/values?as=xml", "as"],
])("%s is a 400 that names `%s`", async (path, field) => {
  holds("lamp");
  const reply = await magpie.request("GET", path);
  expect([reply.status, reply.json<{ details: { field: string }[] }>().details?.[0]?.field]).toEqual([
    400,
    field,
  ]);
});

test("options that cannot be are a 400 that names them", async () => {
  holds("lamp");
  const reply = await magpie.request("POST", "/sources/lamp/rehearse", {
    body: { options: { select: ["a["] } },
  });
  expect([reply.status, reply.json<{ details: { field: string }[] }>().details?.[0]?.field]).toEqual([
    400,
    "options.select.0",
  ]);
});

test("checks that are all one row are read in parts, with a cursor", async () => {
  holds("restless");
  const rest = { outcome: "muted" as const, reason: "It changes all the time.", count: 1, tookMs: 1 };
  const runs = Array.from({ length: 6000 }, (_, n) => ({
    first: began + n,
    last: began + n,
    versionId: `v${n}`,
  }));
  await history.addChecks(runs.map(run => ({ sourceId: "restless", ...run, ...rest })));
  type Page = { data: { checks: number }[]; next_cursor: string | null };
  const first = await get<Page>("/sources/restless/checks");
  const second = await get<Page>(`/sources/restless/checks?cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data].map(({ checks }) => checks)).toEqual([5000, 1000]);
  expect(second.next_cursor).toBeNull();
});
