import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/* What a feed says of an item is kept, and an update says what has changed. */

let site: Site;
let magpie: Magpie;
let items: { id: string; title: string; html: string }[] = [];

beforeAll(async () => {
  site = await startSite((_, response) => {
    const all = items.map(
      ({ id, title, html }) =>
        `<item><guid isPermaLink="false">${id}</guid><title>${title}</title><description><![CDATA[${html}]]></description></item>`,
    );
    return response
      .writeHead(200, { "content-type": "application/rss+xml" })
      .end(`<rss version="2.0"><channel><title>Status</title>${all.join("")}</channel></rss>`);
  });
  magpie = await startMagpie({ egressAllow: ["127.0.0.1/32"], pollMinIntervalMs: 100 }, config => [
    keysService(config),
    trackerService(config),
    connectorsService(config),
    historyService(config),
  ]);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
});

interface Told {
  type: string;
  data: {
    item: { title: string };
    change?: { added: string[]; removed: string[]; diff: string };
    version: string;
    previous_version?: string | null;
  };
}

async function events(count: number): Promise<Told[]> {
  let found: Told[] = [];
  await until(`${count} events`, async () => {
    found = (await magpie.request("GET", "/events?limit=100")).json<{ data: Told[] }>().data;
    return found.length >= count;
  });
  return found;
}

test("an update says what has changed since the version before, also of an item that was there first", async () => {
  items = [{ id: "1", title: "Outage", html: "<p>We look into it.</p><p>API and web.</p>" }];
  const tracked = await magpie.request("POST", "/track/rss", { body: { sid: `${site.url}/feed` } });
  expect(tracked.status).toBe(201);
  const { data: source } = tracked.json<{ data: { id: string } }>();
  items = [{ id: "1", title: "Outage", html: "<p>It is solved.</p><p>API and web.</p>" }];
  await events(1);
  items = [{ id: "2", title: "Another", html: "<p>Text.</p>" }, ...items];
  await events(2);
  items = [{ id: "2", title: "Another one", html: "<p>Text.</p>" }, ...items.slice(1)];
  const [first, second, third] = await events(3);
  expect(first).toMatchObject({
    type: "rss.item.updated",
    data: { change: { added: ["It is solved."], removed: ["We look into it."] } },
  });
  expect(first?.data.change?.diff).toContain("-We look into it.\n+It is solved.\n API and web.\n");
  expect(second).toMatchObject({ type: "rss.item.created", data: { item: { title: "Another" } } });
  expect(second?.data.change).toBeUndefined();
  expect(third?.data).toMatchObject({
    change: { added: ["Another one"], removed: ["Another"] },
    previous_version: second?.data.version,
  });
  const kept = await magpie.request(
    "GET",
    `/sources/${source.id}/versions/${third?.data.version}?as=markdown`,
  );
  expect(kept.text).toContain("# Another one");
});
