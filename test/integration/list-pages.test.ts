import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { someEvents } from "../fakes/memory-log.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

/** Written by hand: a change of the wire breaks it. */
interface Page {
  data: { id: string; type?: string; name?: string }[];
  next_cursor: string | number | null;
}

let site: Site;
let magpie: Magpie;

beforeAll(async () => {
  const rss = (title: string) => `<rss version="2.0"><channel><title>${title}</title></channel></rss>`;
  site = await startSite((request, response) =>
    response
      .writeHead(200, { "content-type": "application/rss+xml" })
      .end(rss(`Journal ${request.url?.slice(1)}`)),
  );
  magpie = await startMagpie({ egressAllow: [`127.0.0.1:${site.port}`], keysPerOwner: 1000 }, config => [
    keysService(config),
    trackerService(config),
    webhookDispatcherService(config),
    connectorsService(config),
    { name: "writer", mixins: [logMixin(config)] },
  ]);
});

afterAll(async () => {
  await magpie.stop();
  await site.close();
});

async function newKey(owner: string): Promise<{ id: string; key: string }> {
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body: { owner, name: "n" } });
  return reply.json<{ data: { id: string; key: string } }>().data;
}

async function post(key: string, path: string, body: object, status: number): Promise<string> {
  const reply = await magpie.request("POST", path, { key, body });
  expect([reply.status, reply.text]).toEqual([status, expect.any(String)]);
  return reply.json<{ data: { id: string } }>().data.id;
}

/** The id of an entry; a type of events has its type. */
const nameOf = ({ id, type, name }: Page["data"][number]) => id ?? type ?? name;

/** What a list has, `limit` entries a page. */
async function paged(key: string, path: string, limit: number, between?: () => Promise<void>) {
  const names: string[] = [];
  for (let cursor = ""; ; ) {
    const reply = await magpie.request(
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor}`,
      {
        key,
      },
    );
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    const { data, next_cursor } = reply.json<Page>();
    expect(data.length).toBeLessThanOrEqual(limit);
    names.push(...data.map(nameOf));
    if (next_cursor === null) return names;
    expect(data).toHaveLength(limit);
    cursor = `&cursor=${next_cursor}`;
    await between?.();
  }
}

/** The list as clients asked for it before it had pages. */
async function whole(key: string, path: string): Promise<string[]> {
  const reply = await magpie.request("GET", path, { key });
  const { data, next_cursor } = reply.json<Page>();
  expect(next_cursor).toBeNull();
  return data.map(nameOf);
}

test.each([
  ["/feeds", 7, (at: number) => ({ name: `feed ${at}` })],
  ["/webhooks", 7, (at: number) => ({ url: `https://hooks.example.com/${at}` })],
])("%s has every entry once, in its order, however many come a page", async (path, count, bodyOf) => {
  const { key } = await newKey(`pages of ${path}`);
  const made: string[] = [];
  for (let at = 0; at < count; at += 1) made.push(await post(key, path, bodyOf(at), 201));
  expect(await whole(key, path)).toEqual(await paged(key, path, 200));
  expect(new Set(await whole(key, path))).toEqual(new Set(made));
  for (const limit of [1, 2, 3, 7]) expect(await paged(key, path, limit)).toEqual(await whole(key, path));
});

test.each([
  ["/feeds", (at: number) => ({ name: `feed ${at}` })],
  ["/webhooks", (at: number) => ({ url: `https://hooks.example.com/${at}` })],
])(
  "%s misses and doubles nothing when the last entry of a page goes before the next one",
  async (path, bodyOf) => {
    const { key } = await newKey(`removed between pages of ${path}`);
    for (let at = 0; at < 6; at += 1) await post(key, path, bodyOf(at), 201);
    const before = await whole(key, path);
    const gone = before[1] ?? "";
    const seen = await paged(key, path, 2, async () => {
      await magpie.request("DELETE", `${path}/${gone}`, { key });
    });
    expect(seen).toEqual(before);
    expect(await whole(key, path)).toEqual(before.filter(id => id !== gone));
  },
);

test("types of events are listed whole, and by pages", async () => {
  const { key } = await newKey("reader of types");
  const all = await whole(key, "/event-types");
  expect(all.length).toBeGreaterThan(10);
  for (const limit of [1, 4, 200]) expect(await paged(key, "/event-types", limit)).toEqual(all);
});

test("found sources are read by page and by cursor", async () => {
  const { key } = await newKey("finder");
  for (let at = 1; at <= 5; at += 1) await post(key, "/track/rss", { sid: `${site.url}/${at}` }, 201);
  const byCursor = await paged(key, "/track/rss/find?query=journal", 2);
  expect(new Set(byCursor).size).toBe(5);
  const byPage: string[] = [];
  for (const page of [1, 2, 3]) {
    const path = `/track/rss/find?query=journal&limit=2&page=${page}`;
    const reply = await magpie.request("GET", path, { key });
    expect(reply.json()).toMatchObject({ total: 5, page, limit: 2, next_cursor: page < 3 ? page + 1 : null });
    byPage.push(...reply.json<Page>().data.map(nameOf));
  }
  expect(byPage).toEqual(byCursor);
});

test("events are read by `after` and by `cursor`, which ends where there is no more now", async () => {
  const { id, key } = await newKey("reader of events");
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  await log.append(someEvents(id, 1, 7));
  const all = await whole(key, "/events");
  expect(all).toHaveLength(7);
  for (const limit of [1, 3, 7]) expect(await paged(key, "/events", limit)).toEqual(all);
  const rest = await magpie.request("GET", "/events?after=4&limit=2", { key });
  expect(rest.json()).toMatchObject({ next_after: 6, next_cursor: 6, more: true });
});

test.each([
  ["/feeds?limit=0", "limit"],
  ["/feeds?limit=201", "limit"],
  ["/webhooks?limit=1.5", "limit"],
  ["/event-types?limit=many", "limit"],
  ["/event-types?page=2", "page"],
  ["/feeds?cursor=", "cursor"],
  ["/events?cursor=-1", "after"],
  ["/events?cursor=1&after=1", "cursor"],
  ["/track/rss/find?query=a&cursor=0", "cursor"],
  ["/track/rss/find?query=a&cursor=1&page=1", "cursor"],
])("%s is refused, and the answer names %s", async (path, field) => {
  const reply = await magpie.request("GET", path);
  expect([reply.status, reply.json()]).toMatchObject([400, { code: "validation_failed" }]);
  expect(reply.json().details).toContainEqual(expect.objectContaining({ field }));
});
