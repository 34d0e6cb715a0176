import { Server } from "proxy-chain";
import { watchIntervalMs, watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

interface Previewed {
  data: { view: { text: string; would_fire: boolean | null } };
  details?: { field: string; code: string }[];
  code?: string;
}

const words = "A page with words enough to be read as it was sent. ".repeat(6);
const late = `<!doctype html><title>Late</title><main><p>${words}</p></main><script>
  setTimeout(() => { document.querySelector("main").insertAdjacentHTML("beforeend", "<p class=price>It costs 30.</p>"); }, 4000);
</script>`;

const door = `<!doctype html><title>Door</title><main><p>${words}</p><input id=code><button id=go>Go</button></main><script>
  go.onclick = () => { if (code.value === "sesame-7") document.querySelector("main").innerHTML = "<h1>Inside</h1><p>The treasure is here.</p>"; };
</script>`;
const enter: object[] = [
  { type: "type", selector: "#code", text: "sesame-7" },
  { type: "click", selector: "#go" },
];

let site: Site;
let proxy: Server;
let asked: string[] = [];
let magpie: Magpie;

beforeAll(async () => {
  site = await startSite({
    "/": `<!doctype html><title>Page</title><main><p>${words}</p></main>`,
    "/late": late,
    "/door": door,
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

test("a watch acts in the page before it reads it, and what it types is shown to nobody", async () => {
  const seen = async (options: object) =>
    (await post("/preview", `${site.url}/door`, options)).json<Previewed>().data.view.text;
  expect(await seen({})).not.toContain("treasure");
  expect(await seen({ actions: enter })).toContain("The treasure is here.");
  const tracked = await post("", `${site.url}/door`, { actions: enter, select: ["main"] });
  expect([tracked.status, tracked.text]).toEqual([201, expect.not.stringContaining("sesame-7")]);
  const { id, options } = tracked.json<{ data: { id: string; options: { actions: object[] } } }>().data;
  const [typing, going] = enter;
  const hidden = [{ ...typing, text: "•••" }, going ?? {}];
  expect(options.actions).toEqual(hidden);
  // A text that is sent back as it is shown is the former one, for the same selector alone.
  const again = (
    await post("/preview", `${site.url}/door`, { actions: hidden, select: ["main"] })
  ).json<Previewed>();
  expect(again.data.view.text).toContain("The treasure is here.");
  // The watch has seen the same when it was made.
  expect(again.data.view.would_fire).toBe(false);
  const change = (iid: string, actions: object[]) =>
    magpie.request("PATCH", "/track/web", { body: { iid, options: { actions } } });
  const changed = await change(id, [...hidden, { type: "wait", ms: 10 }]);
  expect(changed.status).toBe(200);
  // With other options it is another source.
  const { id: next } = changed.json<{ data: { id: string } }>().data;
  const other = await change(next, [{ ...hidden[0], selector: "#other" }]);
  expect([other.status, other.json<Previewed>().details?.[0]]).toEqual([
    400,
    expect.objectContaining({ field: "options.actions", code: "unknown_value" }),
  ]);
  const listed = await magpie.request("GET", "/track");
  expect(listed.text).not.toContain("sesame-7");
});

test.each([
  [{ actions: [{ type: "click" }] }, "options.actions.0.selector"],
  [{ actions: enter, render: "never" }, "options.actions"],
  [
    {
      actions: [
        { type: "wait", ms: 15_000 },
        { type: "wait", ms: 15_000 },
      ],
    },
    "options.actions",
  ],
  [{ wait_for: { selector: ".p" }, render: "never" }, "options.wait_for"],
  [{ wait_for: { selector: "p[" } }, "options.wait_for.selector"],
  [{ wait_for: { ms: 30_000 } }, "options.wait_for"],
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
