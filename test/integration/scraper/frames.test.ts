import { type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const sentence = (what: string) =>
  `The ${what} of the harbour museum is open to visitors on every day of the week until the first storm of autumn.`;
const page = (body: string) =>
  `<title>t</title><main><h1>Museum</h1><p>${sentence("hall")}</p>${body}</main>`;
const document = (body: string) => `<!doctype html><title>inner</title><body>${body}</body>`;

let site: Site;
/** On another port: of the same site, and of another origin. */
let neighbour: Site;
/** At another address: of another site. */
let foreign: Site;
let scraper: Scraper;

beforeAll(async () => {
  const rooms = {
    "/cellar": document(`<p>${sentence("cellar")}</p><a href="/map">Map of the cellar</a>`),
    "/holder": document(`<p>${sentence("cellar")}</p><iframe src="/attic"></iframe>`),
    "/attic": document(`<p>${sentence("attic")}</p>`),
  };
  neighbour = await startSite(rooms);
  foreign = await startSite(rooms, undefined, "127.0.0.2");
  const abroad = foreign.url;
  site = await startSite({
    "/one": page(`<iframe src="/rooms/cellar"></iframe><p>${sentence("roof")}</p>`),
    "/rooms/cellar": document(
      `<h2>Cellar</h2><p>${sentence("cellar")}</p><a href="steps">Steps down</a><img src="lamp.png" alt="A lamp" width=300 height=200>`,
    ),
    "/srcdoc": page(`<iframe srcdoc="<p>${sentence("cellar")}</p>"></iframe>`),
    "/sandboxed": page(`<iframe sandbox srcdoc="<p>${sentence("cellar")}</p>"></iframe>`),
    "/written": page(`<iframe id=f></iframe><script>
      f.contentDocument.body.innerHTML = ${JSON.stringify(`<p>${sentence("cellar")}</p>`)};</script>`),
    "/nested": page('<iframe src="/outer"></iframe>'),
    "/outer": document(`<p>${sentence("cellar")}</p><iframe src="/inner"></iframe>`),
    "/inner": document(`<p>${sentence("attic")}</p>`),
    "/itself": page('<iframe src="/itself?again"></iframe>'),
    "/late": page('<iframe src="/late-inner"></iframe>'),
    "/late-inner": document(
      `<div id=a></div><script>fetch("/words").then(answer => answer.text()).then(text => { a.textContent = text })</script>`,
    ),
    "/words": sentence("cellar"),
    "/component": page(
      "<x-frame></x-frame><script>document.querySelector('x-frame').attachShadow({ mode: 'open' }).innerHTML = '<iframe src=/inner></iframe>'</script>",
    ),
    "/set": `<title>t</title><frameset cols="50%,50%"><frame src="/rooms/cellar"><frameset rows="*,*"><frame src="/inner"><frame src="${abroad}/cellar" title="Abroad"></frameset></frameset>`,
    "/neighbour": page(`<iframe src="http://127.0.0.1:${neighbour.port}/holder"></iframe>`),
    "/abroad": page(`<iframe src="${abroad}/cellar" title="The cellar abroad"></iframe>`),
    "/abroad-nested": page(`<iframe src="${abroad}/holder"></iframe>`),
    "/refused": page(`<iframe src="http://127.0.0.3:${neighbour.port}/cellar" title="Refused"></iframe>`),
    "/hidden": page(
      '<iframe src="/inner" style="display:none"></iframe><iframe src="/inner" width=0 height=0></iframe>',
    ),
    "/missing": page('<iframe src="/none" title="Gone"></iframe>'),
    "/none": { status: 404, body: document("<p>Not found.</p>") },
    "/wild": page('<iframe src="/wild-inner"></iframe><p>After the frame.</p>'),
    "/wild-inner": document(
      `<p>${sentence("cellar")}</p></div></main><script>parent.x = 1</script><plaintext><style>p { color: red }</style>`,
    ),
    "/many": page('<iframe src="/inner"></iframe>'.repeat(60)),
    "/members": `<title>t</title><main><h1>Museum</h1><p>${sentence("hall")}</p><iframe src="/sign-in"></iframe></main>`,
    "/sign-in": document(
      "<form>Members sign in<label>Name <input name=n></label><label>Password <input type=password></label></form>",
    ),
    "/checked": page('<iframe src="/check"></iframe>'),
    "/check": document(
      '<h2>Verify you are human</h2><script src="https://hcaptcha.com/1/api.js" async></script>',
    ),
    "/only-wall": '<title>t</title><iframe src="/sign-in" width=600 height=400></iframe>',
    "/consent": `<title>t</title><div id=a></div><iframe src="/asks"></iframe>
      <script>setTimeout(() => { a.textContent = ${JSON.stringify(sentence("hall"))} }, 900)</script>`,
    "/asks": document(`<p>${"We and our partners keep cookies on your device. ".repeat(10)}</p>`),
    "/ads": page(
      '<iframe src="/ads_iframe.html" title="Banner"></iframe><script>document.title = "Museum"</script>',
    ),
    "/ads_iframe.html": document(`<p>${sentence("cheap hotel")}</p>`),
  });
  const egressAllow = [site, neighbour, foreign].map(({ url }) => new URL(url).host);
  scraper = await startScraper([], { egressAllow });
});

afterAll(async () => {
  await scraper?.stop();
  await Promise.all([site?.close(), neighbour?.close(), foreign?.close()]);
});

const read = async (path: string, js_render: Record<string, unknown> = {}, request = {}) => {
  const output = { formats: ["markdown", "links", "raw_html"] };
  const body = { url: site.url + path, output, js_render: { enabled: true, ...js_render }, request };
  return (await scraper.job(body)).data;
};

describe("the text of a frame is read in its place", () => {
  test.each([
    ["of the same origin", "/one", ["hall", "cellar", "roof"]],
    ["in the page itself", "/srcdoc", ["hall", "cellar"]],
    ["in the page itself, of an origin of its own", "/sandboxed", ["hall", "cellar"]],
    ["that a script writes", "/written", ["hall", "cellar"]],
    ["within a frame", "/nested", ["hall", "cellar", "attic"]],
    ["that a script fills after it has loaded", "/late", ["hall", "cellar"]],
    ["in a shadow tree", "/component", ["hall", "attic"]],
    ["of the same site on another origin, with its own frame", "/neighbour", ["hall", "cellar", "attic"]],
    ["of a set of frames", "/set", ["cellar", "attic"]],
  ])("%s", async (_, path, rooms) => {
    const { markdown = "", metadata } = await read(path);
    const at = rooms.map(room => markdown.indexOf(sentence(room)));
    expect([markdown, at.includes(-1)]).toEqual([markdown, false]);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(metadata.warning).toBeUndefined();
  });

  test("with its addresses, and the raw HTML without it", async () => {
    const { markdown, links, raw_html } = await read("/one");
    expect(markdown).toContain(`[Steps down](${site.url}/rooms/steps)`);
    expect(markdown).toContain(`${site.url}/rooms/lamp.png`);
    expect(links).toContain(`${site.url}/rooms/steps`);
    expect(raw_html).toContain('<iframe src="/rooms/cellar"></iframe>');
    expect(raw_html).not.toContain(sentence("cellar"));
  });

  test("in one request for each document", async () => {
    const before = site.hits.length;
    await read("/one");
    const asked = site.hits.slice(before).map(({ url }) => url);
    expect(asked.filter(url => url === "/rooms/cellar" || url === "/one").toSorted()).toEqual([
      "/one",
      "/rooms/cellar",
    ]);
  });
});

describe("a frame of another site", () => {
  test("is a link", async () => {
    const { markdown } = await read("/abroad");
    expect(markdown).toContain(`[The cellar abroad](${foreign.url}/cellar)`);
    expect(markdown).not.toContain(sentence("cellar"));
    expect((await read("/set", {}, { only_main_content: false })).markdown).toContain(
      `[Abroad](${foreign.url}/cellar)`,
    );
  });

  test("is read where all are wanted", async () => {
    const { markdown } = await read("/abroad", { frames: "all" });
    expect(markdown).toContain(sentence("cellar"));
    expect(markdown).toContain(`[Map of the cellar](${foreign.url}/map)`);
    const nested = await read("/abroad-nested", { frames: "all" });
    expect(nested.markdown).toContain(sentence("attic"));
  });
});

test("what the guard says of a refused frame is not read", async () => {
  const { markdown } = await read("/refused", { frames: "all" });
  expect(markdown).toContain("[Refused]");
  expect(markdown).not.toContain("not allowed");
});

test("no frame is read where none is wanted", async () => {
  const { markdown } = await read("/one", { frames: "none" });
  expect(markdown).not.toContain(sentence("cellar"));
  expect(markdown).toContain(`(${site.url}/rooms/cellar)`);
});

describe("a frame that is a wall", () => {
  test("makes no wall of a page that has its text", async () => {
    const { markdown } = await read("/members");
    expect(markdown).toContain(sentence("hall"));
    expect(markdown).not.toContain("Password");
  });

  test("is no content", async () => {
    const url = `${site.url}/checked`;
    const output = { formats: ["markdown", "html"] };
    const body = { url, output, js_render: { enabled: true }, request: { only_main_content: false } };
    const { markdown, html } = (await scraper.job(body)).data;
    expect(markdown).toContain(sentence("hall"));
    expect(markdown).not.toContain("Verify you are human");
    expect(html).not.toContain("magpie");
  });

  test("is what a page is that has nothing else", async () => {
    const url = `${site.url}/only-wall`;
    const [status, code] = await scraper.refusal({ url, js_render: { enabled: true } });
    expect([status, code]).toEqual([502, "target_blocked"]);
  });
});

test("a frame is not the text that a page waits for", async () => {
  const { markdown } = await read("/consent", {}, { only_main_content: false });
  expect(markdown).toContain(sentence("hall"));
  expect(markdown).toContain("our partners");
});

test("hidden frames and advertisements stay out", async () => {
  expect((await read("/hidden")).markdown).not.toContain(sentence("attic"));
  const { markdown } = await read("/ads");
  expect(markdown).not.toContain(sentence("cheap hotel"));
  expect(markdown).not.toContain("Banner");
});

test("what a frame holds breaks nothing around it", async () => {
  const { markdown = "" } = await read("/wild");
  expect(markdown).toContain(sentence("cellar"));
  expect(markdown.indexOf("After the frame.")).toBeGreaterThan(markdown.indexOf(sentence("cellar")));
  expect(markdown).not.toMatch(/parent\.x|color: red/);
});

test("frames are bounded in number and in depth", async () => {
  const count = async (path: string, room: string) =>
    ((await read(path, {}, { only_main_content: false })).markdown ?? "").split(sentence(room)).length - 1;
  expect(await count("/many", "attic")).toBe(50);
  expect(await count("/itself", "hall")).toBeLessThanOrEqual(5);
});
