import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { type Job, pngSize, type Refusal, type Scraper, startScraper } from "./scraper.ts";

const words =
  "These words make the page long enough to count as a page that says something of its own. ".repeat(3);

/** A page whose parts say what was done to them. */
const stage = `<!doctype html><html><head><title>Stage</title></head><body><main><h1>Stage</h1><p>${words}</p>
<button id=late hidden>late</button><p id=log>Log:</p><input id=field><div id=box style="height:50px;overflow:auto">
<div style="height:2000px">tall</div></div><a id=next href=/next>next</a> <a id=private href="http://10.1.2.3/">in</a>
<a id=window target=_blank href=/window>window</a> <a id=file download href=/file>file</a>
<form action=/form method=post><input name=q id=q></form><div style="height:3000px">high</div></main><script>
const log = text => document.querySelector("#log").append(" " + text);
const on = (id, name, text) => document.getElementById(id).addEventListener(name, event => log(text(event)));
on("field", "input", ({ target }) => "typed:" + target.value);
on("field", "keydown", ({ key }) => "key:" + key);
on("box", "scroll", () => "box-scrolled");
addEventListener("scroll", () => log("scrolled:" + (scrollY > 0 ? "down" : "up")));
document.addEventListener("click", event => { if (event.target.id) log("clicked:" + event.target.id + ":" + event.isTrusted) });
document.querySelector("h1").addEventListener("click", () => { alert("stop"); document.querySelector("#late").hidden = false; });
document.querySelector("#late").addEventListener("click", ({ target }) => target.remove());
if (location.search === "?grows") setTimeout(() => {
  document.querySelector("main").insertAdjacentHTML("beforeend", "<p class=grown>grown</p>") }, 700);
</script></body></html>`;
/** Wider than a phone, which zooms out to show it. */
const wide = `<!doctype html><title>Wide</title><body style="margin:0;width:980px"><p>${words}</p><p id=log></p>
<div style="height:900px"></div><button id=far style="margin-left:700px"
onclick="document.querySelector('#log').append('clicked far')">far</button>`;

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/stage": stage,
    "/wide": wide,
    "/next": `<title>Next</title><main><h1>Next</h1><p>${words}</p><p id=there>You are there.</p></main>`,
    "/window": `<p>${words}</p>`,
    "/file": { headers: { "content-disposition": "attachment" }, body: "bytes" },
    "/form": (request, response) => {
      let body = "";
      request.on("data", chunk => (body += chunk));
      request.on("end", () =>
        response.end(`<title>Form</title><p>${words}</p><p>Sent ${request.method} ${body}</p>`),
      );
    },
    "/plain": `<title>Plain</title><main><p>${words}</p><p class=there>There.</p></main>`,
    "/text": { headers: { "content-type": "text/plain" }, body: "plain words" },
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const whole = { only_main_content: false };
const bodyOf = (path: string, js_render: object, more: object = {}) => ({
  ...{ url: site.url + path, js_render, request: whole },
  ...more,
});
const pageOf = async (path: string, js_render: object, more?: object): Promise<Job["data"]> =>
  (await scraper.job(bodyOf(path, js_render, more))).data;
const acting = (path: string, actions: object[], more?: object) => pageOf(path, { actions }, more);
const logOf = ({ markdown = "" }: Job["data"]) => /^Log:.*$/m.exec(markdown)?.[0].split(" ").slice(1) ?? [];
const refusalOf = async (path: string, js_render: object): Promise<[number, string, Refusal]> =>
  await scraper.refusal(bodyOf(path, js_render));

async function heightOf(key: string): Promise<number> {
  const headers = { "x-api-key": scraper.apiKey };
  const response = await fetch(`${scraper.url}/web/screenshot/${key}`, { headers });
  return pngSize(new Uint8Array(await response.arrayBuffer()))[1];
}

describe("wait_for", () => {
  test("a selector: the page is read once it matches", async () => {
    const { markdown } = await pageOf("/stage?grows", {
      wait_for: { selector: ".grown" },
      wait_until: "load",
    });
    expect(markdown).toContain("grown");
  });

  test("milliseconds", async () => {
    const { markdown } = await pageOf("/stage?grows", { wait_for: { ms: 1500 }, wait_until: "load" });
    expect(markdown).toContain("grown");
  });

  test("a page without scripts has what is waited for", async () => {
    const { markdown, metadata } = await pageOf("/plain", { wait_for: { selector: ".there" } });
    expect(markdown).toContain("There.");
    expect(metadata.engine).toBe("browser");
  });

  test("a selector that never comes is an error that names it, before the time is over", async () => {
    const wanted = bodyOf("/plain", { wait_for: { selector: ".never" } }, { timeout: 4000 });
    const [status, code, refusal] = await scraper.refusal(wanted);
    expect([status, code]).toEqual([422, "element_not_found"]);
    expect(refusal.message).toContain(`No element matches ".never"`);
    expect(refusal.details?.[0]).toMatchObject({ field: "js_render.wait_for.selector", code });
  });

  test("a document is complete as it comes", async () => {
    expect((await pageOf("/text", { wait_for: { selector: ".never" } })).markdown?.trim()).toBe(
      "plain words",
    );
  });
});

describe("actions", () => {
  test("click, as a person does: what it shows can be clicked next, and a dialog does not stop it", async () => {
    const data = await acting("/stage", [
      { type: "click", selector: "h1" },
      { type: "click", selector: "#late" },
    ]);
    expect(logOf(data)).toContain("clicked:late:true");
    expect(data.markdown).not.toMatch(/^late$/m);
    expect(data.actions).toEqual({ screenshots: [] });
  });

  test("type and press, into an element and where the focus is", async () => {
    const data = await acting("/stage", [
      { type: "type", selector: "#field", text: "Añ" },
      { type: "press", key: "ArrowLeft" },
      { type: "type", text: "b" },
    ]);
    expect(logOf(data)).toEqual(expect.arrayContaining(["key:ArrowLeft", "key:b", "typed:Abñ"]));
  });

  test("scroll: the page down and up, and an element", async () => {
    const data = await acting("/stage", [
      { type: "scroll", direction: "down" },
      { type: "wait", ms: 100 },
      { type: "scroll", direction: "up" },
      { type: "wait", ms: 100 },
      { type: "scroll", direction: "down", selector: "#box" },
    ]);
    expect(logOf(data)).toEqual(["scrolled:down", "scrolled:up", "box-scrolled"]);
  });

  test("wait for an element", async () => {
    const data = await acting("/stage?grows", [{ type: "wait", selector: ".grown" }]);
    expect(data.markdown).toContain("grown");
  });

  test("screenshots, which only the owner opens; with that of the page", async () => {
    const actions = [
      { type: "screenshot" },
      { type: "scroll", direction: "down" },
      { type: "screenshot", full_page: true },
    ];
    const data = await acting("/stage", actions, { output: { formats: ["screenshot"] } });
    const keys = data.actions?.screenshots ?? [];
    expect(keys).toHaveLength(2);
    expect(new Set([...keys, data.screenshot]).size).toBe(3);
    const [inView, all] = await Promise.all(keys.map(heightOf));
    expect(inView).toBeLessThan(all ?? 0);
    const key = await scraper.newKey("other");
    expect((await scraper.request("GET", `/web/screenshot/${keys[0]}`, { key })).status).toBe(404);
  });

  test("on a phone that shows a wide page in small", async () => {
    const more = { request: { ...whole, device: "mobile" } };
    expect((await acting("/wide", [{ type: "click", selector: "#far" }], more)).markdown).toContain(
      "clicked far",
    );
  });

  test("the page to which a click leads is the one that is read", async () => {
    const data = await acting("/stage", [
      { type: "click", selector: "#next" },
      { type: "wait", selector: "#there" },
    ]);
    expect(data.markdown).toContain("You are there.");
    expect(data.metadata).toMatchObject({ final_url: `${site.url}/next`, title: "Next", status_code: 200 });
  });

  test("a form is sent", async () => {
    const data = await acting("/stage", [
      { type: "type", selector: "#q", text: "lamp" },
      { type: "press", key: "Enter" },
    ]);
    expect(data.markdown).toContain("Sent POST q=lamp");
  });

  test("new windows are closed and downloads denied: the page stays", async () => {
    const data = await acting("/stage", [
      { type: "click", selector: "#window" },
      { type: "click", selector: "#file" },
      { type: "click", selector: "#field" },
    ]);
    expect(data.metadata.final_url).toBe(`${site.url}/stage`);
    expect(logOf(data)).toContain("clicked:field:true");
  });

  test.each([
    ["nothing else", []],
    ["what it looks for there", [{ type: "click", selector: "#missing" }]],
  ])("a click into a private network is refused, with %s", async (_, rest) => {
    const actions = [{ type: "click", selector: "#private" }, ...rest];
    const [status, code, { rules }] = await refusalOf("/stage", { actions });
    expect([status, code, rules?.length]).toEqual([400, "url_not_allowed", 1]);
  });

  test.each([
    [0, "click", [{ type: "click", selector: "#gone" }], `No element matches "#gone"`],
    [
      1,
      "type",
      [
        { type: "wait", ms: 1 },
        { type: "type", selector: "#gone", text: "a" },
      ],
      "No element matches",
    ],
    [0, "click", [{ type: "click", selector: "#late" }], `"#late" is not visible`],
    [
      2,
      "click",
      [
        { type: "click", selector: "h1" },
        { type: "click", selector: "#late" },
        { type: "click", selector: "#late" },
      ],
      `No element matches "#late"`,
    ],
  ])("action %i, %s: an element that is missing is named", async (index, _, actions, message) => {
    const [status, code, refusal] = await refusalOf("/stage", { actions });
    expect([status, code]).toEqual([422, "element_not_found"]);
    expect(refusal.message).toContain(message);
    expect(refusal.details?.[0]).toMatchObject({ field: `js_render.actions.${index}.selector`, code });
  });

  test("a selector that only the door takes", async () => {
    const actions = [{ type: "click", selector: "p:contains('Log')" }];
    const [status, code, refusal] = await refusalOf("/stage", { actions });
    expect([status, code, refusal.details?.[0]?.code]).toEqual([
      400,
      "validation_failed",
      "invalid_selector",
    ]);
  });

  test("a document cannot be acted in", async () => {
    const [status, code, { message }] = await refusalOf("/text", { actions: [{ type: "wait", ms: 1 }] });
    expect([status, code]).toEqual([415, "unsupported_media_type"]);
    expect(message).toContain("js_render.actions");
  });

  test("an asynchronous scrape says in its record which element was missing", async () => {
    const asked = bodyOf("/stage", { actions: [{ type: "click", selector: "#gone" }] }, { mode: "async" });
    const { scrape_id } = (await scraper.scrape(asked)).json<Job>();
    const job = await ended(scrape_id);
    expect(job.error).toEqual({
      code: "element_not_found",
      message: `No element matches "#gone" (js_render.actions.0.selector).`,
    });
  });
});

async function ended(id: string): Promise<{ status: string; error?: { code: string; message: string } }> {
  const job = async () => (await scraper.request("GET", `/web/scrape/${id}`)).json<{ status: string }>();
  await until("the scrape has ended", async () => (await job()).status !== "pending");
  return await job();
}
