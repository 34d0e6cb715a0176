import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import type { ServiceSchema } from "moleculer";
import Parser from "rss-parser";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { logMixin } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import type { Magpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** An installation, embedded or a cluster, with what appends to its logs. */
export interface FeedsWorld {
  magpie: Pick<Magpie, "request" | "url">;
  log: EventLog;
}

export const feedServices: ((config: Config) => ServiceSchema)[] = [
  keysService,
  trackerService,
  connectorsService,
  webhookDispatcherService,
  config => ({ name: "writer", mixins: [logMixin(config)] }),
];

const { egressAllow, social, pollMinIntervalMs } = toConfig({
  EGRESS_ALLOW: "127.0.0.1/32",
  POLL_MIN_INTERVAL: "500ms",
});
export const feedOverrides: Partial<Config> = {
  egressAllow,
  pollMinIntervalMs,
  social: { ...social, sandboxEveryMs: null },
};

/** Written by hand: a change of the wire breaks it. */
interface Feed {
  id: string;
  name: string | null;
  tags: string[];
  sources: string[];
  event_types: string[];
  token: string;
  created_at: string;
  atom_url: string;
  json_url: string;
}

/** Feeds of a key's events, over HTTP. */
export function feedsOutSuite(worldOf: () => FeedsWorld): void {
  let magpie: FeedsWorld["magpie"];
  let log: EventLog;
  let keyId: string;
  let appended = 0;

  beforeAll(async () => {
    ({ magpie, log } = worldOf());
    const listed = await magpie.request("GET", "/internal/keys", { admin: true });
    keyId = listed.json<{ data: { id: string }[] }>().data[0]?.id ?? "";
  });

  async function create(body: object = {}, key?: string): Promise<Feed> {
    const reply = await magpie.request("POST", "/feeds", { body, ...(key !== undefined && { key }) });
    expect(reply.status).toBe(201);
    return reply.json<{ data: Feed }>().data;
  }

  const source = (id: string) => ({
    id,
    source: "RSS" as const,
    externalId: "https://example.com/feed.xml",
    username: "example.com",
    name: "Example <Journal>",
  });

  /** Appends items, each of its own source. */
  async function append(titles: string[], sourceId = "s1", keyIds = [keyId]): Promise<void> {
    const events: NewEvent[] = titles.map(title => {
      appended += 1;
      return {
        bodyId: `${sourceId}:${appended}`,
        type: "rss.item.created",
        timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, appended)).toISOString(),
        data: {
          source: source(sourceId),
          item: {
            id: `i${appended}`,
            title,
            url: `https://example.com/${appended}`,
            content_html: `<p>${appended}</p>`,
          },
        },
        keyIds,
      };
    });
    // In portions, as polls do.
    for (let begin = 0; begin < events.length; begin += 100)
      await log.append(events.slice(begin, begin + 100));
  }

  const get = (url: string, headers: Record<string, string> = {}) =>
    magpie.request("GET", url.slice(magpie.url.length), { key: null, headers });

  test("a feed holds the key's events, newest first, and two libraries read it", async () => {
    const feed = await create({ name: "All & <sundry>" });
    expect(feed).toEqual({
      id: expect.any(String),
      name: "All & <sundry>",
      tags: [],
      sources: [],
      event_types: [],
      meaningful: false,
      token: expect.stringMatching(/^[\w-]{22}$/),
      created_at: expect.any(String),
      atom_url: `${magpie.url}/feeds/${feed.token}.atom`,
      json_url: `${magpie.url}/feeds/${feed.token}.json`,
    });
    await append(["First ]]> & <b>", "Second 😀"]);
    const atom = await get(feed.atom_url);
    expect(atom.status).toBe(200);
    expect(atom.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(atom.headers.get("cache-control")).toBe("private, no-cache");

    const parsed = parseAtomFeed(atom.text);
    expect(parsed.title?.value).toBe("All & <sundry>");
    expect(parsed.links).toContainEqual(expect.objectContaining({ rel: "self", href: feed.atom_url }));
    expect(parsed.entries?.slice(0, 2).map(({ title }) => title?.value)).toEqual([
      "Second 😀",
      "First ]]> & <b>",
    ]);

    const read = await new Parser().parseString(atom.text);
    expect(read.items[0]).toMatchObject({ title: "Second 😀", link: `https://example.com/${appended}` });
    expect(read.items[0]?.author?.trim()).toBe("Example <Journal>");
    expect(read.items[0]?.content?.trim()).toBe(`<p>${appended}</p>`);

    const json = await get(feed.json_url);
    expect(json.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    const { items, feed_url } = parseJsonFeed(json.text);
    expect(feed_url).toBe(feed.json_url);
    expect(items?.[1]).toMatchObject({
      title: "First ]]> & <b>",
      content_html: `<p>${appended - 1}</p>`,
      url: `https://example.com/${appended - 1}`,
    });
  });

  test("a feed that has not changed is 304, until there is news", async () => {
    const { atom_url } = await create();
    const first = await get(atom_url);
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("last-modified")).toBe(
      new Date(Date.UTC(2026, 0, 1, 0, 0, appended)).toUTCString(),
    );
    const same = await get(atom_url, { "if-none-match": `"x", W/${etag}` });
    expect([same.status, same.text]).toEqual([304, ""]);
    await append(["News"]);
    const changed = await get(atom_url, { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
    const head = await magpie.request("HEAD", atom_url.slice(magpie.url.length), { key: null });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("filters by types, sources and tags; each has to pass", async () => {
    const tracked = await magpie.request("POST", "/track/microblog", {
      body: { sid: "quiet_wren", options: { tags: ["birds"] } },
    });
    expect(tracked.status).toBeLessThan(300);
    const { id } = tracked.json<{ data: { id: string } }>().data;
    await append(["Of s2"], "s2");
    await append(["Of birds"], id);
    const titles = async (filter: object) => {
      const { json_url } = await create(filter);
      return (parseJsonFeed((await get(json_url)).text).items ?? []).map(({ title }) => title);
    };
    expect(await titles({ sources: ["s2"] })).toEqual(["Of s2"]);
    expect(await titles({ tags: ["birds"] })).toEqual(["Of birds"]);
    expect(await titles({ tags: ["birds"], sources: ["s2"] })).toEqual([]);
    expect(await titles({ tags: ["none"] })).toEqual([]);
    expect(await titles({ event_types: ["web.page.changed"] })).toEqual([]);
  });

  test("the newest hundred, also where a filter passes few", async () => {
    await append(["The only one"], "rare");
    await append(
      Array.from({ length: 1_200 }, (_, n) => `Item ${n}`),
      "busy",
    );
    const { json_url } = await create({ sources: ["rare"] });
    expect(parseJsonFeed((await get(json_url)).text).items).toHaveLength(1);
    const all = await create({ sources: ["busy"] });
    const { items } = parseJsonFeed((await get(all.json_url)).text);
    expect(items).toHaveLength(100);
    expect(items?.[0]?.title).toBe("Item 1199");
    expect(items?.at(-1)?.title).toBe("Item 1100");
  });

  test("what others wrote is no script in a feed", async () => {
    appended += 1;
    const html =
      '<p onclick="x()">a</p><script>alert(1)</script><a href="javascript:x()">b</a><img src=x onerror=y';
    const item = {
      id: "evil",
      title: "<script>alert(2)</script>",
      url: "javascript:alert(3)",
      content_html: html,
    };
    const timestamp = new Date().toISOString();
    const data = { source: source("evil"), item };
    await log.append([{ bodyId: "evil", type: "rss.item.created", timestamp, data, keyIds: [keyId] }]);
    const { json_url, atom_url } = await create({ sources: ["evil"] });
    const [entry] = parseJsonFeed((await get(json_url)).text).items ?? [];
    expect(entry?.content_html).not.toMatch(/script|onclick|onerror/i);
    expect(entry?.url).toBeUndefined();
    expect((await get(atom_url)).text).not.toContain("javascript:");
  });

  test("feeds are listed with their addresses, belong to their key, and end with it", async () => {
    const reply = await magpie.request("POST", "/internal/keys", {
      admin: true,
      body: { owner: "bob", name: "n" },
    });
    const { key, id } = reply.json<{ data: { key: string; id: string } }>().data;
    const feed = await create({ name: "Bob's" }, key);
    await append(["For both"], "s9", [keyId, id]);
    const listed = await magpie.request("GET", "/feeds", { key });
    expect(listed.json<{ data: Feed[] }>().data).toEqual([feed]);
    expect((await magpie.request("DELETE", `/feeds/${feed.id}`)).status).toBe(404);
    expect(parseJsonFeed((await get(feed.json_url)).text).items).toHaveLength(1);

    const second = await create({}, key);
    expect((await magpie.request("DELETE", `/feeds/${second.id}`, { key })).status).toBe(200);
    expect((await get(second.atom_url)).status).toBe(404);
    await magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
    await until("the feed is gone", async () => (await get(feed.atom_url)).status === 404);
  });

  test("a key has at most 50 feeds", async () => {
    const reply = await magpie.request("POST", "/internal/keys", {
      admin: true,
      body: { owner: "eve", name: "n" },
    });
    const { key } = reply.json<{ data: { key: string } }>().data;
    for (let made = 0; made < 50; made += 1) await create({}, key);
    const refused = await magpie.request("POST", "/feeds", { body: {}, key });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("key_limit_reached");
  });

  test.each([
    [{ tags: [] }, "tags"],
    [{ event_types: ["no.such"] }, "event_types"],
    [{ colour: "red" }, "colour"],
    [{ name: "" }, "name"],
  ])("%j is refused", async (body, field) => {
    const reply = await magpie.request("POST", "/feeds", { body });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain(field);
  });

  test("Magpie tracks a feed of its own", async () => {
    await append(["Before"], "own");
    const { atom_url } = await create({ name: "Own", sources: ["own"] });
    const tracked = await magpie.request("POST", "/track/rss", { body: { sid: atom_url } });
    expect(tracked.status).toBeLessThan(300);
    const { id, name } = tracked.json<{ data: { id: string; name: string } }>().data;
    expect(name).toBe("Own");
    await append(["After"], "own");
    await until(
      "it is told of the new entry",
      async () => {
        const events = await magpie.request("GET", `/events?sources=${id}`);
        return events.text.includes('"urn:magpie:event:') && events.text.includes("After");
      },
      30_000,
    );
  });

  test("a feed is read 60 times a minute, 304s too; others are not concerned", async () => {
    const [busy, other] = [await create(), await create()];
    const etag = (await get(busy.atom_url)).headers.get("etag") ?? "";
    const statuses: number[] = [];
    for (let reads = 0; reads < 59; reads += 1)
      statuses.push((await get(busy.atom_url, { "if-none-match": etag })).status);
    expect(new Set(statuses)).toEqual(new Set([304]));
    const refused = await get(busy.atom_url);
    expect([refused.status, refused.json()]).toMatchObject([429, { code: "rate_limited" }]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.text).not.toContain(busy.token);
    const head = await magpie.request("HEAD", busy.atom_url.slice(magpie.url.length), { key: null });
    expect(head.status).toBe(429);
    expect((await get(other.atom_url)).status).toBe(200);
  });

  test("a client that asks for many feeds that do not exist has to wait; a known one is still read", async () => {
    const { atom_url } = await create();
    const ask = () => get(`${magpie.url}/feeds/${"A".repeat(22)}.atom`);
    await until("it is refused", async () => (await ask()).status === 429);
    expect((await get(`${magpie.url}/feeds/nonsense`)).status).toBe(429);
    expect((await get(atom_url)).status).toBe(200);
  });

  test("a client reads 600 times a minute, whatever it reads", async () => {
    const texts: string[] = [];
    for (let asked = 0; asked < 650; asked += 50) {
      const names = Array.from({ length: 50 }, (_, n) => `${magpie.url}/feeds/${asked + n}.atom`);
      for (const { text } of await Promise.all(names.map(name => get(name)))) texts.push(text);
    }
    expect(texts.filter(text => text.includes("from one address 600")).length).toBeGreaterThanOrEqual(50);
    const { atom_url } = await create();
    expect((await get(atom_url)).status).toBe(429);
  });
}
