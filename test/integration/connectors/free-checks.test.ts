import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { scraperService } from "../../../services/scraper/scraper.service.ts";
import { trackerService } from "../../../services/tracker/tracker.service.ts";
import { type Hit, type Site, startSite } from "../../support/http-site.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { until } from "../../support/until.ts";

let site: Site;
let magpie: Magpie;
let price = 20;
let served: Record<string, number> = {};

const rest = "<p>Some words about the boots, which stay as they are.</p>".repeat(10);
const page = (text: string) => `<!doctype html><title>Boots</title><main><h1>Boots</h1><p>${text}</p>${rest}`;
const html = { "content-type": "text/html" };

beforeAll(async () => {
  site = await startSite((request, response) => {
    const path = request.url ?? "";
    served = { ...served, [path]: (served[path] ?? 0) + 1 };
    const isConditional = request.headers["if-none-match"] !== undefined;
    // What says that nothing has changed, whatever happens.
    if (path === "/liar" && isConditional) return response.writeHead(304).end();
    if (path === "/liar") return response.writeHead(200, { ...html, etag: '"1"' }).end(page(`${price} EUR`));
    if (path === "/plain") return response.writeHead(200, html).end(page(`${price} EUR`));
    if (path === "/empty" && (served[path] ?? 0) % 4 === 0) return response.writeHead(200, html).end();
    return response.writeHead(200, html).end(page("Always so"));
  });
  const config = { pollMinIntervalMs: 20, egressAllow: [`127.0.0.1:${site.port}`] };
  magpie = await startMagpie(config, settings => [
    keysService(settings),
    trackerService(settings),
    connectorsService(settings),
    scraperService(settings),
  ]);
});

afterAll(async () => {
  await magpie?.stop();
  await site?.close();
});

interface Tracked {
  externalId: string;
  problem: unknown;
  last_event_at: string | null;
}

async function track(path: string, options?: object, key = magpie.apiKey): Promise<void> {
  const body = { sid: site.url + path, ...(options && { options }) };
  expect((await magpie.request("POST", "/track/web", { body, key })).status).toBe(201);
}

async function tracked(path: string, key = magpie.apiKey): Promise<Tracked[]> {
  const { data } = (await magpie.request("GET", "/track", { key })).json<{ data: Tracked[] }>();
  return data.filter(({ externalId }) => externalId === site.url + path);
}

const hitsOf = (path: string): Hit[] => site.hits.filter(({ url }) => url === path);
const hasCondition = ({ headers }: Hit) => headers["if-none-match"] !== undefined;

test("a page is asked for by its validator, but not always: a server that says 304 for ever does not silence it", async () => {
  price = 20;
  await track("/liar");
  await until("a conditional request", () => hitsOf("/liar").some(hasCondition));
  price = 10;
  await until("an event of the liar", async () => (await tracked("/liar"))[0]?.last_event_at != null);
  const asked = hitsOf("/liar").map(hasCondition);
  const runs = asked.map(Number).join("").split("0");
  expect(Math.max(...runs.map(({ length }) => length))).toBe(9);
});

test("a change of a page without validators is told, to each of its views", async () => {
  price = 20;
  await track("/plain");
  await until("polls of the plain page", () => hitsOf("/plain").length > 6);
  // A view that joins has a state of its own, so the page is read for both.
  const body = { owner: "ann", name: "other" };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  const other = made.json<{ data: { key: string } }>().data.key;
  await track("/plain", { select: ["h1 + p"] }, other);
  const before = hitsOf("/plain").length;
  await until("polls of both views", () => hitsOf("/plain").length > before + 6);
  price = 10;
  await until("events of both views", async () => {
    const views = [...(await tracked("/plain")), ...(await tracked("/plain", other))];
    return views.length === 2 && views.every(({ last_event_at }) => last_event_at !== null);
  });
});

test("an empty answer after unchanged ones is a failed check, and the page as it was is no change", async () => {
  await track("/empty");
  await until("a failed check", async () => (await tracked("/empty"))[0]?.problem != null);
  await until("a good check after it", async () => (await tracked("/empty"))[0]?.problem === null);
  expect(await tracked("/empty")).toMatchObject([{ last_event_at: null }]);
});
