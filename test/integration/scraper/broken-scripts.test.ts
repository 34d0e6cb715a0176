import { type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const posts = [
  "The bridge over the brook has been closed since the flood of last week, and nobody knows for how long.",
  "The mayor told me yesterday that the new planks are already cut and only wait for a dry day.",
  "Then let us meet on Saturday morning and carry them down together, all who can hold a hammer.",
];
const loginForm =
  '<form id="hidden-login-form" method="post" action="/login" style="display: none"><input name="username"><input type="password" name="password"></form>';
const login =
  "<form action=/login><h1>Log in</h1><input name=user><input type=password name=p><button>Log in</button></form>";
const crawlerView = `<noscript><header><a href="/">Village forum</a></header><div id="main-outlet" class="wrap" role="main">
  <h1><a href="/t/bridge/1">When will the bridge open?</a></h1>
  ${posts.map((post, at) => `<div class="topic-body crawler-post"><div class="crawler-post-meta"><span>user${at}</span></div><div class="post"><p>${post}</p></div></div>`).join("")}
  </div><footer>Powered by a forum</footer></noscript>`;
const preloaded = escaped(
  JSON.stringify({
    site: JSON.stringify({ title: "Village forum" }),
    topic_1: JSON.stringify({
      title: "When will the bridge open?",
      post_stream: { posts: posts.map((post, at) => ({ username: `user${at}`, cooked: `<p>${post}</p>` })) },
    }),
  }),
);

function forum({ body, scripts }: { body: string; scripts: string }): string {
  return `<!doctype html><html lang="en"><head><title>When will the bridge open? - Village forum</title>
  ${scripts}</head><body class="crawler">${loginForm}<section id="main"></section>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

const missing =
  '<script defer src="/missing/vendor.js"></script><script defer src="/missing/app.js"></script>';
const data = `<div class="hidden" id="data-preloaded" data-preloaded="${preloaded}"></div>`;

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/t/bridge/1": forum({ body: data + crawlerView, scripts: missing }),
    "/t/bridge/2": forum({ body: data, scripts: missing }),
    "/t/bridge/3": forum({ body: crawlerView, scripts: "<script defer src=/throws.js></script>" }),
    "/t/bridge/4": forum({ body: '<div data-preloaded="{broken"></div>', scripts: missing }),
    "/throws.js": {
      headers: { "content-type": "text/javascript" },
      body: "document.querySelectorAll('noscript').forEach(it => it.remove()); throw new Error('no');",
    },
    "/shell": '<title>App</title><div id="root"></div><script src="/missing/app.js"></script>',
    "/fetching": `<title>App</title><div id="root">Loading</div><script>fetch("/missing/api").then(r => r.json())</script>`,
    "/idle": '<title>App</title><div id="root">Loading</div><script>void 0</script>',
    "/emptied": `<title>t</title><main><p>${posts.join(" ")}</p></main><script>document.body.innerHTML = ""</script>`,
    "/short": "<title>t</title><p>Short, and no more than that.</p>",
    "/empty": "<title>t</title>",
    "/story": `<title>t</title><p>${posts.join(" ")}</p><script src="/missing/app.js"></script>`,
    "/members": `${missing}<script>document.addEventListener("DOMContentLoaded", () => { document.body.innerHTML = ${JSON.stringify(login)} })</script>`,
    "/challenge": {
      status: 403,
      body: `<title>Just a moment...</title><noscript><p>Enable JavaScript and cookies to continue</p></noscript><script src="/missing/check.js"></script><script>window._cf_chl_opt = {}</script>`,
    },
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

async function read(path: string, enabled = true) {
  const { data } = await scraper.job({ url: site.url + path, js_render: { enabled } });
  return { markdown: data.markdown ?? "", warning: data.metadata.warning };
}

describe("a forum whose scripts fail is read as the server sent it", () => {
  test.each([
    ["the view for crawlers, with a browser", "/t/bridge/1", true],
    ["the view for crawlers, without scripts", "/t/bridge/1", false],
    ["the posts sent as data, with a browser", "/t/bridge/2", true],
    ["the posts sent as data, without scripts", "/t/bridge/2", false],
    ["what a script removed before it failed", "/t/bridge/3", true],
  ])("%s", async (_, path, enabled) => {
    const { markdown } = await read(path, enabled);
    expect(markdown).toContain("# ");
    let from = 0;
    for (const post of posts) {
      from = markdown.indexOf(post, from);
      expect([post, from]).not.toEqual([post, -1]);
    }
  });

  test("the answer says so where a script had changed the page", async () => {
    expect((await read("/t/bridge/3")).warning).toBe(
      "Its scripts emptied the page. It was read as the server sent it.",
    );
    expect((await read("/emptied")).warning).toBe(
      "Its scripts emptied the page. It was read as the server sent it.",
    );
    expect((await read("/emptied")).markdown).toContain(posts[0]);
  });
});

describe("the answer explains why a page has nearly no text", () => {
  test.each([
    ["/shell", "could not be loaded (1 request failed)"],
    ["/fetching", "could not be loaded (1 request failed)"],
    ["/t/bridge/4", "could not be loaded (2 requests failed)"],
    ["/idle", "after its scripts have run"],
    ["/empty", "The page has no text."],
  ])("%s", async (path, sentence) => {
    expect((await read(path)).warning).toContain(sentence);
  });

  test("scripts that the request left out", async () => {
    expect((await read("/shell", false)).warning).toContain("js_render.enabled is false");
  });

  test.each(["/short", "/story", "/t/bridge/1"])("nothing is to be explained of %s", async path => {
    expect((await read(path)).warning).toBeUndefined();
  });
});

test.each(["/members", "/challenge"])("a wall is a wall, also where scripts fail: %s", async path => {
  const [status, code] = await scraper.refusal({ url: site.url + path });
  expect([status, code]).toEqual([502, "target_blocked"]);
});
