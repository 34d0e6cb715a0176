import { setTimeout as later } from "node:timers/promises";
import { type Handler, type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const story = "The ferry to the island leaves at seven from the north pier in every weather. ".repeat(6);

/** A script that comes so late. */
const slowScript =
  (ms: number, text: string): Handler =>
  async (_, response) => {
    await later(ms);
    response.setHeader("content-type", "text/javascript").end(text);
  };

const show = `document.getElementById("app").textContent = ${JSON.stringify(story)};`;
const app = (script: string) => `<title>App</title><div id="app"></div><script>${script}</script>`;
const insert = (path: string) =>
  `document.head.append(Object.assign(document.createElement("script"), { src: "${path}" }));`;

/** A page with a menu, whose main area the script fills. */
const menued = (area: string, script: string) =>
  `<title>App</title><header>${story.replaceAll("ferry", "menu")}</header>${area}<script>${script}</script>`;
const fetched = `fetch("/data").then(answer => answer.text()).then(text => { area.textContent = text })`;

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/import": app('onload = () => import("/chunk.mjs")'),
    "/import-at-once": app('import("/chunk.mjs")'),
    "/insert": app(`onload = () => { ${insert("/chunk.js")} }`),
    "/insert-by-timer": app(`onload = () => setTimeout(() => { ${insert("/chunk.js")} }, 100)`),
    "/chain": app(`onload = () => { ${insert("/first.js")} }`),
    "/styled": app(`onload = () => {
      const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/slow.css" });
      sheet.onload = () => { ${show} };
      document.head.append(sheet);
    }`),
    "/framed": `<title>App</title><header>${story.replaceAll("ferry", "menu")}</header><div id="app"></div>
      <script>onload = () => import("/chunk.mjs")</script>`,
    "/chunk.mjs": slowScript(600, show),
    "/chunk.js": slowScript(600, show),
    "/first.js": slowScript(600, insert("/second.js")),
    "/second.js": slowScript(
      600,
      'fetch("/data").then(answer => answer.text()).then(text => { app.textContent = text })',
    ),
    "/data": async (_, response) => {
      await later(600);
      response.end(story);
    },
    "/slow.css": async (_, response) => {
      await later(600);
      response.setHeader("content-type", "text/css").end("p { color: red }");
    },
    "/menu-timer": menued(
      "<main id=area></main>",
      `setTimeout(() => { area.textContent = ${JSON.stringify(story)} }, 1500)`,
    ),
    "/menu-fetch": menued(
      '<main><div id=area class="list"></div><script>0</script></main>',
      `setTimeout(() => { ${fetched} }, 700)`,
    ),
    "/menu-root": menued(
      "<nav>Home</nav><div id=root><p id=area></p></div>",
      `setTimeout(() => { ${fetched} }, 100)`,
    ),
    "/noscript": app(`setTimeout(() => { ${show} }, 1500)`).replace(
      "<script>",
      `<noscript>${"This page needs JavaScript. ".repeat(10)}</noscript><script>`,
    ),
    "/timer": app(`setTimeout(() => { ${show} }, 2500)`),
    "/replaced": app(`app.textContent = "Loading"; onload = () => setTimeout(() => { ${show} }, 300)`),
    "/leaves": app('setTimeout(() => location.replace("/there"), 1500)'),
    "/there": app(`setTimeout(() => { ${show} }, 500)`),
    "/socket": app(`const socket = new WebSocket("ws://" + location.host + "/none");
      socket.onerror = () => { ${show} }`),
  });
  site.server.on("upgrade", async (_, socket) => {
    await later(1000);
    socket.destroy();
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const read = async (path: string) => (await scraper.job({ url: site.url + path })).data;

describe("a page is read when its text is there", () => {
  test.each([
    ["a chunk that a script imports after load", "/import"],
    ["a chunk that a script imports at once", "/import-at-once"],
    ["a script that is inserted after load", "/insert"],
    ["a script that is inserted some time after load", "/insert-by-timer"],
    ["a script that inserts another one, which fetches data", "/chain"],
    ["a script that waits for its style sheet", "/styled"],
    ["a chunk of a page that has text already", "/framed"],
    ["a timer", "/timer"],
    ["a timer below a menu", "/menu-timer"],
    ["data that a timer fetches, below a menu", "/menu-fetch"],
    ["data of a root below a menu", "/menu-root"],
    ["a timer of a page that says what it is without scripts", "/noscript"],
    ["a text that replaces another one", "/replaced"],
    ["a navigation by a timer", "/leaves"],
    ["a socket that is given up", "/socket"],
  ])("%s", async (_, path) => {
    const { markdown, metadata } = await read(path);
    expect(markdown).toContain("The ferry to the island");
    expect(metadata.warning).toBeUndefined();
  });
});
