import { Server } from "proxy-chain";
import { watchIntervalMs, watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

interface Previewed {
  data: { view: { text: string; why: string } };
  details?: { field: string; code: string }[];
  code?: string;
}

const words = "A page with words enough to be read as it was sent. ".repeat(6);
const late = `<!doctype html><title>Late</title><main><p>${words}</p></main><script>
  setTimeout(() => { document.querySelector("main").insertAdjacentHTML("beforeend", "<p class=price>It costs 30.</p>"); }, 4000);
</script>`;

let site: Site;
let proxy: Server;
let asked: string[] = [];
let magpie: Magpie;

beforeAll(async () => {
  site = await startSite({
    "/": `<!doctype html><title>Page</title><main><p>${words}</p></main>`,
    "/late": late,
  });
  proxy = new Server({
    ...{ host: "127.0.0.1", port: 0 },
    prepareRequestFunction: ({ hostname, port }) => {
      asked.push(`${hostname}:${port}`);
      return {};
    },
  });
  await proxy.listen();
  magpie = await startMagpie(
    { ...watchOverrides(watchIntervalMs), proxies: { AT: [`http://127.0.0.1:${proxy.port}`] } },
    config => [...new Set(watchServices)].map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([site.close(), proxy.close(true)]);
});
beforeEach(() => {
  asked = [];
});

const post = (path: string, sid: string, options: object) =>
  magpie.request("POST", `/track/web${path}`, { body: { sid, options } });

test("a watch has its page read through a proxy of a country, and shows so", async () => {
  const reply = await post("", `${site.url}/`, { proxy: { location: "at" } });
  expect(reply.status).toBe(201);
  expect(new Set(asked)).toEqual(new Set([`127.0.0.1:${site.port}`]));
  const { options } = reply.json<{ data: { options: object } }>().data;
  expect(options).toEqual({ proxy: { location: "AT" } });
});

test("another watch of the page without it shares nothing with it, and goes directly", async () => {
  const key = (
    await magpie.request("POST", "/internal/keys", { admin: true, body: { owner: "bo", name: "n" } })
  ).json<{ data: { key: string } }>().data.key;
  const reply = await magpie.request("POST", "/track/web", {
    key,
    body: { sid: `${site.url}/`, options: { remove: [".x"] } },
  });
  expect([reply.status, asked]).toEqual([201, []]);
});

test("a watch waits for a selector, or for milliseconds", async () => {
  const soon = (await post("/preview", `${site.url}/late`, { wait_for: { ms: 10 } })).json<Previewed>();
  expect(soon.data.view.text).not.toContain("It costs 30.");
  const waited = (
    await post("/preview", `${site.url}/late`, { wait_for: { selector: ".price" } })
  ).json<Previewed>();
  expect(waited.data.view.text).toContain("It costs 30.");
});

test.each([
  [{ wait_for: { selector: ".p" }, render: "never" }, "options.wait_for"],
  [{ wait_for: { selector: "p[" } }, "options.wait_for.selector"],
  [{ wait_for: { ms: 30_000 } }, "options.wait_for.ms"],
  [{ wait_for: { minutes: 1 } }, "options.wait_for.minutes"],
  [{ proxy: { location: "Austria" } }, "options.proxy.location"],
])("%j is refused and names %s", async (options, field) => {
  const reply = await post("/preview", `${site.url}/`, options);
  expect([reply.status, reply.json<Previewed>().details?.[0]?.field]).toEqual([400, field]);
});

test("feeds have neither", async () => {
  const body = { sid: `${site.url}/feed`, options: { proxy: { location: "AT" } } };
  const reply = await magpie.request("POST", "/track/rss", { body });
  expect([reply.status, reply.json<Previewed>().details?.[0]?.field]).toEqual([400, "options.proxy"]);
});
