import type { Config } from "../../../mixins/config/config.ts";
import { type OpenAiServer, startOpenAiServer } from "../../fakes/openai-server.ts";
import { askedIn } from "../../suites/goals-world.ts";
import { type WatchTracker, watchOverrides, watchServices } from "../../suites/watches.suite.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { until } from "../../support/until.ts";
import { untilWarm } from "../../support/until-warm.ts";

let magpie: Magpie;
let model: OpenAiServer;
let site: Site;
/** What each page says; a page that says nothing is not there. */
const said: Record<string, string> = {
  a: "Open on Monday.",
  b: "The team of the shop.",
  c: "How to find us.",
};

const page = (name: string) => `<!doctype html><title>Page ${name}</title><main><h1>Page ${name}</h1>
  <p>${said[name]}</p><p>Nest boxes of the kind ${name} are made of larch, and keep for twenty years.</p></main>`;

beforeAll(async () => {
  site = await startSite((request, response) => {
    const name = (request.url ?? "").slice(1);
    const links = Object.keys(said).map(each => `<a href="/${each}">Page ${each}</a>`);
    const body = name === "" ? `<title>Shop</title><main><h1>Shop</h1>${links.join(" ")}</main>` : page(name);
    const isThere = name === "" || name in said;
    response.writeHead(isThere ? 200 : 404, { "content-type": "text/html" }).end(isThere ? body : "Nothing");
  });
  model = await startOpenAiServer();
  model.answerBy(request => {
    const { added, kind, whole } = askedIn(request);
    const meaningful = kind === "site.page.added" ? whole.includes("Graz") : added.join().includes("Sunday");
    return { answer: { meaningful, confidence: 1, reason: "So it is.", summary: `It is a ${kind}.` } };
  });
  const llm = { baseUrl: model.baseUrl, model: "stand-in" };
  const services = (config: Config) => [...new Set(watchServices)].map(service => service(config));
  magpie = await startMagpie({ ...watchOverrides(60_000), llm }, services);
  await untilWarm(magpie.broker);
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([site.close(), model.close()]);
});

interface SiteEvent {
  type: string;
  data: { page: { url: string }; judgement?: { judged: boolean; meaningful: boolean; summary: string } };
}

async function events(count: number): Promise<SiteEvent[]> {
  const read = async () => (await magpie.request("GET", "/events")).json<{ data: SiteEvent[] }>().data;
  await until(`${count} events are there`, async () => (await read()).length >= count);
  return await read();
}

const tracker = () => magpie.broker.getLocalService("tracker") as unknown as WatchTracker;

async function isAtRest(id: string, since: number): Promise<boolean> {
  const source = await tracker().context.sources.findById(id);
  if (!source || source.lease !== undefined) return false;
  return source.polledAt >= since && source.dueAt > Date.now() + 5000;
}

test("new and changed pages of a site are judged each by itself", async () => {
  const body = { sid: `${site.url}/`, options: { goal: "The shop opens elsewhere, or at other times" } };
  const reply = await magpie.request("POST", "/track/site", { body });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  const { id } = reply.json<{ data: { id: string } }>().data;
  await until("the baseline has ended", () => isAtRest(id, 0));
  expect(model.requests).toHaveLength(0);
  Object.assign(said, { a: "Open on Sunday.", b: "The new team of the shop.", d: "We open in Graz in May." });
  const at = Date.now();
  const { context, pollScheduler } = tracker();
  await context.sources.update(id, { $set: { dueAt: at - 1, askedAt: at } });
  pollScheduler.wake();
  const told = await events(4);
  const shown = told.map(({ type, data: { page: named, judgement } }) => [
    ...[type, new URL(named.url).pathname],
    ...[judgement?.meaningful, judgement?.summary],
  ]);
  expect(shown.sort()).toEqual([
    ["site.page.added", "/d", true, "It is a site.page.added."],
    // Its list of pages has another one.
    ["site.page.changed", "/", false, "It is a site.page.changed."],
    ["site.page.changed", "/a", true, "It is a site.page.changed."],
    ["site.page.changed", "/b", false, "It is a site.page.changed."],
  ]);
});
