import { createHmac } from "node:crypto";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { monitorServices } from "../suites/monitors.suite.ts";
import { watchIntervalMs, watchOverrides } from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";
import { installClients, runClient } from "./firecrawl/clients.ts";

interface Hook {
  path: string;
  signature: string;
  body: string;
}

let magpie: Magpie;
let site: Site;
let price = 30;
const hooks: Hook[] = [];

beforeAll(async () => {
  await installClients();
  site = await startSite(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site.test");
    if (pathname.startsWith("/hook/")) {
      const body = Buffer.concat(await request.toArray()).toString();
      hooks.push({ path: pathname, signature: String(request.headers["x-firecrawl-signature"]), body });
      return response.end();
    }
    if (pathname === "/set") price = Number(searchParams.get("price"));
    const said = pathname === "/lamp" ? `It costs ${price} euros.` : "It stands on four legs.";
    response.writeHead(200, { "content-type": "text/html" });
    const text = "It is made of wood and brass, and keeps for twenty years in any room that is known here.";
    return response.end(
      `<!doctype html><title>Things</title><main><h1>Things</h1><p>${text}</p><p>${said}</p></main>`,
    );
  });
  const services = (config: Config) => [...new Set(monitorServices)].map(service => service(config));
  const webhooks = { ...toConfig({}).webhooks, allowHttp: true };
  magpie = await startMagpie({ ...watchOverrides(watchIntervalMs), webhooks }, services);
}, 1_900_000);
afterAll(async () => {
  await magpie?.stop();
  await site?.close();
});
beforeEach(() => {
  price = 30;
});

/** What the receiver of a client got, once the end of its second check is among it; each signature is verified. */
async function delivered(client: string, secret: string): Promise<Record<string, unknown>[]> {
  const received = () => hooks.filter(({ path }) => path === `/hook/${client}`);
  const ends = () => received().filter(({ body }) => body.includes('"type":"monitor.check.completed"'));
  await until("the end of the second check is delivered", () => ends().length === 2);
  return received().map(({ body, signature }) => {
    expect(signature).toBe(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    return JSON.parse(body);
  });
}

const changed = expect.objectContaining({
  type: "monitor.page",
  success: true,
  data: [
    expect.objectContaining({
      status: "changed",
      diff: expect.objectContaining({ text: expect.stringContaining("-It costs 30 euros.") }),
    }),
  ],
});

test("monitors by Firecrawl's client for JavaScript, its command line and its tools", async () => {
  interface Got {
    sdk: { secret: string };
  }
  const got = await runClient<Got>("monitors.mjs", magpie.url, magpie.apiKey, site.url);
  expect(got).toMatchObject({
    sdk: {
      cron: expect.stringMatching(/^\d+-59\/30 \* \* \* \*$/),
      first: { status: "completed", summary: { totalPages: 2, new: 2 }, pages: 2 },
      second: { totalPages: 2, same: 1, changed: 1, error: 0 },
      changed: [["/lamp", "changed", expect.stringContaining("+It costs 25 euros.")]],
      checks: 2,
      paused: ["paused", null],
      listed: ["Lamps"],
    },
    commandLine: {
      made: ["Desks", "0 9 * * *"],
      check: ["completed", 1],
      checks: 1,
      changed: ["Other desks", "paused"],
      removed: { success: true },
    },
    tools: {
      check: ["completed", 1, "new"],
      checks: 1,
      listed: ["By tools", "Lamps"],
      updated: "paused",
      removed: { success: true },
    },
  });
  const told = await delivered("javascript", got.sdk.secret);
  expect(told).toEqual(expect.arrayContaining([changed]));
  expect(told.every(({ metadata }) => (metadata as { by?: string }).by === "javascript")).toBe(true);
}, 900_000);

test("monitors by Firecrawl's client for Python", async () => {
  const got = await runClient<{ secret: string }>("monitors.py", magpie.url, magpie.apiKey, site.url);
  expect(got).toMatchObject({
    zone: "Europe/Vienna",
    first: ["completed", 1],
    second: ["completed", 1],
    diff: expect.stringContaining("+It costs 20 euros."),
    checks: 2,
    listed: expect.arrayContaining(["Lamps"]),
    paused: "paused",
    removed: true,
  });
  expect(await delivered("python", got.secret)).toEqual(expect.arrayContaining([changed]));
}, 900_000);
