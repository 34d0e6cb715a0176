import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let dashboard: Dashboard;
let site: Site;
let tab: Tab;
let isEdited = false;

/** A documentation of two parts. */
const pages: Record<string, () => string> = {
  "/docs/": () => `<p>Everything that the harbour's interface does, and how it is asked for.</p>`,
  "/docs/start/install": () => `<p>Install the package with the manager of your system, then log in.</p>`,
  "/docs/start/first-boat": () => `<p>A boat is announced with its name, its length and its draught.</p>`,
  "/docs/api/berths": () =>
    `<p>A request for a berth may be sent ${isEdited ? "twenty" : "sixty"} times a minute by each key.</p>`,
};

beforeAll(async () => {
  [site, dashboard] = await Promise.all([startSite(docs), openDashboard({ POLL_MIN_INTERVAL: "100ms" })]);
  tab = await dashboard.signIn({ api_key: dashboard.apiKey });
});

afterAll(async () => {
  await dashboard.close();
  await site.close();
});

function docs({ url = "/" }: { url?: string }, response: import("node:http").ServerResponse): void {
  const text = pages[url];
  if (!text) {
    response.writeHead(404).end();
    return;
  }
  const title = url.split("/").findLast(Boolean) ?? "docs";
  const links = Object.keys(pages).map(path => `<li><a href="${path}">${path}</a></li>`);
  response.setHeader("content-type", "text/html");
  response.end(`<!doctype html><html lang="en"><title>The ${title}</title><nav><ul>${links.join("")}</ul></nav>
    <main><h1>The ${title}</h1>${text()}<p>Written for ${title} by the office of the harbour.</p></main></html>`);
}

async function ask(path: string) {
  const answer = await fetch(dashboard.url + path, {
    headers: { "x-api-key": dashboard.apiKey },
    signal: AbortSignal.timeout(60_000),
  });
  return await answer.json();
}

let id = "";

test("an address is taken for a page, and tracked as a whole site after a preview", async () => {
  await tab.go("/sources");
  await tab.click("Add a source");
  await tab.fill("Address", `${site.url}/docs/`);
  const chosen = () =>
    tab.page.evaluate(() => document.querySelector<HTMLInputElement>("input[name=source]:checked")?.value);
  await until("it is taken for a page", async () => (await chosen()) === "web");
  await tab.page.evaluate(() => document.querySelector<HTMLElement>("input[value=site]")?.click());
  await tab.click("Which pages");
  await tab.fill("Pages at most", "50");
  await tab.click("Show a preview");
  await tab.sees("/docs/api/berths");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Track it");
  await until("it is tracked", async () => (await ask("/track")).data.length === 1);
  const [source] = (await ask("/track")).data;
  id = source.id;
  expect(source).toMatchObject({ source: "SITE", options: { limit: 50 } });
});

test("its pages are a tree, each level of which opens", async () => {
  await until("all pages are read", async () => (await ask(`/sources/${id}`)).data.site.states.there === 4);
  await tab.go(`/sources/${id}`);
  await tab.sees("4 pages");
  await tab.click("start");
  await tab.sees("The first-boat");
  expect(await tab.findings()).toEqual([]);
});

test("a change is told of its page, which opens with its past", async () => {
  isEdited = true;
  await until(
    "the change is told",
    async () => (await ask("/events?types=site.page.changed")).data.length === 1,
  );
  await tab.go(`/sources/${id}?since=1`);
  await tab.sees("Changed");
  expect(await tab.text()).not.toContain("first-boat");
  await tab.click("The berths");
  await tab.sees("Compare with");
  await until("the words are marked", async () =>
    (await tab.text()).replace(/\s+/g, " ").includes("sixtytwenty times a minute"),
  );
  expect(await tab.findings()).toEqual([]);
});

test("its event leads to the page", async () => {
  await tab.go("/events");
  await until("the event opens", () =>
    tab.page.evaluate(() => {
      const events = [...document.querySelectorAll<HTMLElement>(".event button")];
      const event = events.find(each => each.textContent?.includes("The berths"));
      event?.click();
      return event !== undefined;
    }),
  );
  await tab.sees("What happened");
  expect(await tab.findings()).toEqual([]);
  await tab.page.evaluate(() => document.querySelector<HTMLElement>(".event-of a")?.click());
  await tab.sees("Compare with");
  expect(tab.address()).toContain(`page=${encodeURIComponent(`${site.url}/docs/api/berths`)}`);
});

test("pages of a state are a list", async () => {
  await tab.go(`/sources/${id}?state=there`);
  await tab.sees("Last visit");
  await tab.sees("The install");
  expect(await tab.findings()).toEqual([]);
  expect(dashboard.problems).toEqual([]);
});
