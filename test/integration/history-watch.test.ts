import type { Config } from "../../mixins/config/config.ts";
import { historyService } from "../../services/history/history.service.ts";
import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { pollNow } from "../support/poll-now.ts";

/* A watch and its past, through all services. */

let magpie: Magpie;
let site: Site;
let price = 50;
let stock = "In stock";
let teaser = 0;

beforeAll(async () => {
  site = await startSite((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(page()),
  );
  const services = (config: Config) => [
    ...[...new Set(watchServices)].map(service => service(config)),
    historyService(config),
  ];
  magpie = await startMagpie(watchOverrides(watchIntervalMs), services);
});
afterAll(() => Promise.all([magpie.stop(), site.close()]));

function page(): string {
  teaser += 1;
  return `<!doctype html><html lang="en"><head><title>Desk lamp</title><style>p { order: ${teaser} }</style></head><body>
<header><p>The workshop of lamps</p></header><main><h1>Desk lamp</h1><p class="price">€ ${price}.00</p>
<p class="stock">${stock}</p><p>The lamp for the desk, made of brass and ash, with a switch at its foot and a cord of two metres.
It has stood on desks since 1974, and whoever has one keeps it.</p></main></body></html>`;
}

function poll(id: string): Promise<void> {
  return pollNow(magpie.broker.getLocalService("tracker") as unknown as WatchTracker, id);
}

async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await magpie.request(method, path, body === undefined ? {} : { body });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return (reply.status === 204 ? null : reply.json()) as Body;
}

interface Row {
  id: string;
  outcome: string;
  event_id: string | null;
}

test("a watch remembers, explains, compares, rehearses, is searched and forgets", async () => {
  const sid = `${site.url}/lamp`;
  const { data } = await ask<{ data: { id: string } }>("POST", "/track/web", { sid });
  const { id } = data;
  await poll(id);
  price = 39;
  await poll(id);
  stock = "Only three are left";
  await poll(id);
  await poll(id);

  const versions = await ask<{ data: Row[] }>("GET", `/sources/${id}/versions`);
  expect(versions.data.map(({ outcome }) => outcome)).toEqual(["changed", "changed", "first"]);
  const [latest, cheaper, first] = versions.data;

  const events = await ask<{ data: { id: string; type: string; data: { version: string } }[] }>(
    "GET",
    "/events",
  );
  const changes = events.data.filter(({ type }) => type === "web.page.changed");
  expect(changes.map(event => event.id)).toEqual([cheaper?.event_id, latest?.event_id]);
  expect(changes.map(event => event.data.version)).toEqual([cheaper?.id, latest?.id]);

  const said = await ask<{ data: { text: string; markdown: string } }>(
    "GET",
    `/sources/${id}/versions/${first?.id}`,
  );
  expect(said.data.text).toContain("€ 50.00");
  expect(said.data.markdown).toContain("# Desk lamp");
  const html = await magpie.request("GET", `/sources/${id}/versions/${first?.id}?as=html`);
  expect(html.text).not.toContain("<style");

  const diff = await ask<{ data: { added: string[]; removed: string[] } }>(
    "GET",
    `/sources/${id}/diff?from=${first?.id}&to=${cheaper?.id}`,
  );
  expect(diff.data).toMatchObject({ added: ["€ 39.00"], removed: ["€ 50.00"] });

  const checks = await ask<{ data: { outcome: string; event_id: string | null; reason: string }[] }>(
    "GET",
    `/sources/${id}/checks`,
  );
  const outcomes = checks.data.map(({ outcome }) => outcome);
  expect(outcomes.slice(0, 3)).toEqual(["same", "changed", "changed"]);
  expect(checks.data[1]?.event_id).toBe(latest?.event_id);

  const source = await ask<{ data: Record<string, unknown> }>("GET", `/sources/${id}`);
  expect(source.data).toMatchObject({ id, versions: 3, events: 2, last_check: { outcome: "same" } });

  type Rehearsal = { data: { fired: number; events: { version: string }[] } };
  const asItIs = await ask<Rehearsal>("POST", `/sources/${id}/rehearse`, {});
  expect(asItIs.data.events.map(({ version }) => version)).toEqual([latest?.id, cheaper?.id]);
  const options = { select: [".price"], when: { value: { below: 45 } } };
  const below = await ask<Rehearsal>("POST", `/sources/${id}/rehearse`, { options });
  expect(below.data.events.map(({ version }) => version)).toEqual([cheaper?.id]);

  // In the preview of other options, and of an address that is not tracked.
  type Preview = { data: { view: { past: { fired: number; why: string } | null } } };
  const preview = await ask<Preview>("POST", "/track/web/preview", { sid, options });
  expect(preview.data.view.past).toMatchObject({
    fired: 1,
    why: "In the day that is kept this would have fired once.",
  });
  const other = await ask<Preview>("POST", "/track/web/preview", { sid: `${site.url}/other`, options });
  expect(other.data.view.past).toBeNull();

  const found = await ask<{ data: { version: string; passage: string }[] }>(
    "GET",
    "/search?q=only+%22are+left%22",
  );
  expect(found.data).toEqual([
    expect.objectContaining({
      version: latest?.id,
      passage: expect.stringContaining("**Only** three **are left**"),
    }),
  ]);

  // The key's options change: its past comes along.
  const changed = await ask<{ data: { id: string } }>("PATCH", "/track/web", { iid: id, options });
  const moved = await ask<{ data: Row[] }>("GET", `/sources/${changed.data.id}/versions?all=true`);
  expect(moved.data.map(row => row.id)).toEqual(expect.arrayContaining([latest?.id, cheaper?.id, first?.id]));
  expect((await magpie.request("GET", `/sources/${id}`)).status).toBe(404);

  await ask("DELETE", `/sources/${changed.data.id}/versions`);
  const left = await ask<{ data: Row[] }>("GET", `/sources/${changed.data.id}/versions?all=true`);
  expect(left.data).toHaveLength(1);
  expect((await ask<{ data: unknown[] }>("GET", "/search?q=lamp+39")).data).toEqual([]);
});

test("a version that a condition holds back says how many lines differ", async () => {
  price = 50;
  const options = { select: [".price"], when: { value: { below: 10 } } };
  const { data } = await ask<{ data: { id: string } }>("POST", "/track/web", {
    sid: `${site.url}/lamp`,
    options,
  });
  price = 45;
  await poll(data.id);
  const versions = await ask<{ data: Row[] }>("GET", `/sources/${data.id}/versions`);
  expect(versions.data[0]).toMatchObject({ outcome: "held", added: 1, removed: 1 });
});
