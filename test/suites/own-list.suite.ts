import type { ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import type { Magpie, Reply } from "../support/magpie.ts";
import { until } from "../support/until.ts";

export interface OwnListWorld {
  magpie: Pick<Magpie, "request">;
}

/** The tracker is on two nodes where each service has its own. */
export const ownListServices: ((config: Config) => ServiceSchema)[] = [
  keysService,
  trackerService,
  trackerService,
  connectorsService,
  () => adminService(),
];

const { social } = toConfig({});

/** The social platforms are simulated, and post on demand only. */
export const ownListOverrides: Partial<Config> = {
  egressAllow: ["127.0.0.1"],
  pollMinIntervalMs: 200,
  keysPerOwner: 1000,
  social: { ...social, sandboxEveryMs: null },
};

/** Written by hand: a change of the wire breaks them. */
interface Row {
  id: string;
  source: string;
  externalId: string;
  name: string;
  tags: string[];
  health: string;
  failures: number;
  problem: string | null;
  polled_at: string;
  due_at: string;
  last_event_at: string | null;
}

interface Batch {
  id: string;
  state: string;
  progress: Record<string, number>;
  entries: { number: number; status: string; data?: { id: string }; error?: { code: string } }[];
  next_cursor?: string | null;
}

interface Page {
  data: { type: string; data: { source: { id: string } } }[];
  next_after: number;
  more: boolean;
}

interface Imported {
  state: string;
  entries: { outcome: string; sid: string }[];
}

/** What a key does with the list of what it tracks, over HTTP. `entries`: of its largest batch. */
export function ownListSuite(worldOf: () => OwnListWorld, entries = 540): void {
  let site: Site;
  let made = 0;
  /** Paths that answer 500. */
  const broken = new Set<string>();
  /** How many items each feed has. */
  let items = 1;

  beforeAll(async () => {
    site = await startSite((request, response) => {
      if (broken.has(request.url ?? "")) return response.writeHead(500).end();
      return response.writeHead(200, { "content-type": "text/xml" }).end(feed(request.url ?? ""));
    });
  });
  afterAll(() => site.close());
  beforeEach(() => broken.clear());

  function feed(path: string): string {
    const entries = Array.from(
      { length: items },
      (_, n) => `<item><guid>${path} ${n}</guid><title>Item ${n}</title></item>`,
    );
    return `<rss version="2.0"><channel><title>Feed ${path}</title><link>https://example.com/</link>
      <description>d</description>${entries.reverse().join("")}</channel></rss>`;
  }

  /** Ids of the keys of a test, which end with it: what they track is polled all the time. */
  const keys: string[] = [];
  afterEach(async () => {
    for (const id of keys.splice(0))
      await worldOf().magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
  });

  async function newKey(): Promise<string> {
    made += 1;
    const body = {
      owner: `l${made}`,
      name: "n",
      limits: { trackedSources: 5000, requestsPerMinute: 100_000 },
    };
    const reply = await worldOf().magpie.request("POST", "/internal/keys", { admin: true, body });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    const { id, key } = reply.json<{ data: { id: string; key: string } }>().data;
    keys.push(id);
    return key;
  }

  const ask = (key: string, method: string, path: string, body?: object): Promise<Reply> =>
    worldOf().magpie.request(method, path, { key, ...(body && { body }) });

  async function rows(key: string, query = ""): Promise<Row[]> {
    return (await ask(key, "GET", `/track${query}`)).json<{ data: Row[] }>().data;
  }

  async function track(key: string, source: string, sid: string, tags: string[] = []): Promise<string> {
    const reply = await ask(key, "POST", `/track/${source}`, { sid, options: { tags } });
    return reply.json<{ data: { id: string } }>().data.id;
  }

  /** Every page of a list. */
  async function all<T>(read: (cursor: string) => Promise<{ page: T[]; next: string | null }>): Promise<T[]> {
    const found: T[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const answer = await read(next && `&cursor=${next}`);
      found.push(...answer.page);
      next = answer.next;
    }
    return found;
  }

  test(`a batch of ${entries} goes on as a job; each entry is tracked once, with its tags`, async () => {
    const key = await newKey();
    // Every tenth is a search, the others are no accounts.
    const wanted = Array.from({ length: entries }, (_, n) => ({
      source: "microblog",
      sid: n % 10 === 0 ? `#t${n}` : `no user ${n}`,
      options: { tags: [n % 20 === 0 ? "even" : "odd"] },
    }));
    wanted.push({ source: "microblog", sid: "#t0", options: { tags: ["even"] } });
    const searches = wanted.slice(0, -1).filter(({ sid }) => sid.startsWith("#"));
    const reply = await ask(key, "POST", "/track/batch", { items: wanted });
    expect([200, 202]).toContain(reply.status);
    const { id } = reply.json<{ data: Batch }>().data;
    const read = async (query = "") =>
      (await ask(key, "GET", `/track-batches/${id}?limit=100${query}`)).json<{ data: Batch }>().data;
    await until("it is completed", async () => (await read()).state === "completed");
    const { progress } = await read();
    expect(progress).toMatchObject({
      total: entries + 1,
      pending: 0,
      failed: entries - searches.length,
    });
    expect((progress.tracked ?? 0) + (progress.known ?? 0)).toBe(searches.length + 1);
    const told = await all(async cursor => {
      const page = await read(cursor);
      return { page: page.entries, next: page.next_cursor ?? null };
    });
    expect(told.map(({ number }) => number)).toEqual(wanted.map((_, n) => n));
    expect(told[1]).toMatchObject({ status: "failed", error: { code: "validation_failed" } });
    expect(told.at(-1)?.data?.id).toBe(told[0]?.data?.id);
    const listed = await all(async cursor => {
      const page = await ask(key, "GET", `/track?limit=100${cursor}`);
      const { data, next_cursor } = page.json<{ data: Row[]; next_cursor: string | null }>();
      return { page: data, next: next_cursor };
    });
    expect(listed.map(({ externalId }) => externalId).sort()).toEqual(searches.map(({ sid }) => sid).sort());
    for (const { externalId, tags } of listed)
      expect(tags).toEqual([Number(externalId.slice(2)) % 20 === 0 ? "even" : "odd"]);
  });

  test("a key sees of each source how it is, and finds those that are not well", async () => {
    const key = await newKey();
    const well = await track(key, "rss", `${site.url}/well`, ["a"]);
    const ill = await track(key, "rss", `${site.url}/ill`, ["b"]);
    await track(key, "microblog", "quiet_wren", ["b"]);
    items += 1;
    broken.add("/ill");
    await until("it is failing", async () => (await rows(key, "?health=failing")).length > 0);
    expect((await rows(key, "?health=failing")).map(({ id }) => id)).toEqual([ill]);
    const [row] = await rows(key, "?health=failing&tags=b&sources=rss&query=ILL");
    expect(row).toMatchObject({ id: ill, failures: expect.any(Number), last_event_at: null });
    expect(row?.problem).toMatch(/^The site has answered 500 since /);
    expect(Date.parse(row?.due_at ?? "")).toBeGreaterThan(Date.parse(row?.polled_at ?? ""));
    await until("the other had news", async () => {
      const [other] = await rows(key, "?health=ok&tag=a");
      return other?.id === well && other.last_event_at !== null;
    });
    expect((await rows(key, "?health=ok")).map(({ source }) => source).sort()).toEqual(["MICROBLOG", "RSS"]);
    broken.clear();
    await until("it is well again", async () => (await rows(key, "?health=failing")).length === 0);
    expect((await rows(key, "?query=ill"))[0]).toMatchObject({ health: "ok", failures: 0, problem: null });
  });

  test("a list goes to another key as OPML and comes out equal; a sync is tried and then done", async () => {
    const [one, two] = [await newKey(), await newKey()];
    for (const name of ["a", "b", "c"]) await track(one, "rss", `${site.url}/opml/${name}`, ["x", name]);
    await track(one, "microblog", "#opml", ["y"]);
    const own = await ask(one, "GET", "/track/opml");
    const send = async (body: string, query: string) => {
      const headers = { "content-type": "text/x-opml" };
      const reply = await worldOf().magpie.request("POST", `/track/opml${query}`, {
        key: two,
        body,
        headers,
      });
      return reply.json<{ data: Imported }>().data;
    };
    const added = await send(own.text, "");
    expect(added.entries.map(({ outcome }) => outcome)).not.toContain("failed");
    await until("all is tracked", async () => (await rows(two)).length === 4);
    expect((await ask(two, "GET", "/track/opml")).text).toBe(own.text);
    const fewer = own.text.replace(/^.*\/opml\/b".*$\n/gm, "");
    const tried = await send(fewer, "?mode=sync&dry_run=true");
    expect(tried.entries.filter(({ outcome }) => outcome === "removed").map(({ sid }) => sid)).toEqual([
      `${site.url}/opml/b`,
    ]);
    expect(await rows(two)).toHaveLength(4);
    await send(fewer, "?mode=sync");
    await until("it has gone", async () => (await rows(two)).length === 3);
    expect((await rows(two)).map(({ externalId }) => externalId)).not.toContain(`${site.url}/opml/b`);
  });

  test("a request that waits for events is answered with the first that its filter lets pass", async () => {
    const key = await newKey();
    const quiet = await track(key, "microblog", "quiet_wren", ["birds"]);
    await track(key, "chatserver", "hush", ["rooms"]);
    const say = (body: object) =>
      worldOf().magpie.request("POST", "/internal/sandbox/post", { admin: true, body });
    const waiting = ask(key, "GET", "/events?after=0&wait=25&tag=birds&type=microblog.post.created");
    const other = ask(key, "GET", `/events?after=0&wait=25&source=${quiet}`);
    await say({ platform: "chatserver", channelId: "2031", text: "Not this." });
    await until("the other source has told", async () => {
      await say({ platform: "chatserver", channelId: "2031", text: "Not this." });
      return (await ask(key, "GET", "/events?tag=rooms")).json<Page>().data.length > 0;
    });
    await say({ platform: "microblog", username: "quiet_wren", text: "This." });
    for (const reply of await Promise.all([waiting, other])) {
      const { data, next_after } = reply.json<Page>();
      expect(data.map(({ data: { source } }) => source.id)).toEqual([quiet]);
      expect(next_after).toBeGreaterThan(1);
    }
  });
}
