import { setTimeout as later } from "node:timers/promises";
import type { Handler, Routes } from "../support/http-site.ts";

/** Something that pages do, and what is right to read of one that does it. */
export interface Behaviour {
  name: string;
  /** The page is `/`; the other paths are below it, and have `SITE` for the address of the whole and `ABROAD` for another site. */
  pages: Routes;
  options?: {
    js_render?: Record<string, unknown>;
    request?: Record<string, unknown>;
    output?: Record<string, unknown>;
  };
  /** What the Markdown must have and must not have. */
  has?: string[];
  lacks?: string[];
  /** Of a picture of the whole page: its height, and rows at which it must not be white. */
  picture?: { height: number; drawn: number[] };
  /** What a page is not to be deceived about: whether it is a program that reads it. */
  isPolicy?: true;
}

export const story =
  "The ferry to the island leaves at seven from the north pier in every weather, and returns before dusk. ".repeat(
    4,
  );
export const other =
  "The lighthouse keeper counts the boats in the bay each evening, and writes their names in a book. ".repeat(
    4,
  );

export const page = (body: string, head = "") =>
  `<!doctype html><title>Harbour</title>${head}<body>${body}</body>`;
export const article = (body: string, head = "") =>
  page(`<main><h1>Harbour</h1><p>${other}</p>${body}</main>`, head);
export const app = (script: string) => page(`<div id="app"></div><script>${script}</script>`);
export const show = `document.getElementById("app").innerHTML = ${JSON.stringify(`<h1>Ferry</h1><p>${story}</p>`)};`;

const slow =
  (ms: number, type: string, body: string): Handler =>
  async (_, response) => {
    await later(ms);
    response.setHeader("content-type", type).end(body);
  };
const chunk = slow(600, "text/javascript", show);
const data = (ms: number) => ({
  "/": app(
    'fetch("data").then(answer => answer.text()).then(text => { document.getElementById("app").innerHTML = "<h1>Ferry</h1><p>" + text + "</p>" })',
  ),
  "/data": slow(ms, "text/plain", story),
});
const has = [story.trim()];

/** When a page is ready. */
const readiness: Behaviour[] = [
  { name: "data fetched after 0.9 s", pages: data(900), has },
  {
    name: "data fetched after 4 s",
    pages: data(4000),
    has,
    options: { js_render: { wait_for: { selector: "h1" } } },
  },
  {
    name: "a chunk that is imported after load",
    pages: { "/": app('onload = () => import("./chunk.mjs")'), "/chunk.mjs": chunk },
    has,
  },
  {
    name: "a script that is inserted after load",
    pages: {
      "/": app(
        'onload = () => document.head.append(Object.assign(document.createElement("script"), { src: "chunk.js" }))',
      ),
      "/chunk.js": chunk,
    },
    has,
  },
  { name: "a timer of 2.5 s", pages: { "/": app(`setTimeout(() => { ${show} }, 2500)`) }, has },
  {
    name: "location.replace after 1.5 s",
    pages: { "/": app('setTimeout(() => location.replace("there"), 1500)'), "/there": app(show) },
    has,
  },
  {
    name: "text replaced 0.3 s after load",
    pages: {
      "/": app(
        `document.getElementById("app").textContent = "Loading"; onload = () => setTimeout(() => { ${show} }, 300)`,
      ),
    },
    has,
  },
  {
    name: "hydration from the page's data",
    pages: {
      "/": page(
        `<div id="app"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ text: story })}</script>
        <script>document.getElementById("app").innerHTML = "<h1>Ferry</h1><p>" + JSON.parse(__NEXT_DATA__.textContent).text + "</p>"</script>`,
      ),
    },
    has,
  },
  {
    name: "hydration that empties the page",
    pages: {
      "/": page(
        `<div id="app"><h1>Ferry</h1><p>${story}</p></div><script src="gone.js"></script><script>app.innerHTML = ""</script>`,
      ),
    },
    has,
  },
  {
    name: "polling without end",
    pages: { "/": article(`<script>setInterval(() => fetch("poll"), 100)</script>`), "/poll": "ok" },
    has: [other.trim()],
  },
  {
    name: "a picture that never comes",
    pages: { "/": article(`<p>${story}</p><img src="never">`), "/never": () => undefined },
    has,
  },
  {
    name: "an async script that never comes",
    pages: {
      "/": article(`<p>${story}</p>`, '<script async src="never"></script>'),
      "/never": () => undefined,
    },
    has,
  },
  {
    name: "a style sheet that never comes",
    pages: {
      "/": article(`<p>${story}</p><script>0</script>`, '<link rel="stylesheet" href="never">'),
      "/never": () => undefined,
    },
    has,
  },
  {
    name: "a script that never comes",
    pages: { "/": article(`<p>${story}</p>`, '<script src="never"></script>'), "/never": () => undefined },
    has,
  },
];

const act = (actions: object[]) => ({ js_render: { actions } });
const appended = `const add = () => document.querySelector("main").insertAdjacentHTML("beforeend", ${JSON.stringify(`<p>${story}</p>`)});`;

/** What a reader does, and what a page asks of one. */
const acting: Behaviour[] = [
  {
    name: "scroll",
    pages: {
      "/": article(
        `<div style="height: 3000px"></div><script>${appended} addEventListener("scroll", add, { once: true })</script>`,
      ),
    },
    options: act([
      { type: "scroll", direction: "down" },
      { type: "wait", ms: 300 },
    ]),
    has,
  },
  {
    name: "click",
    pages: { "/": article(`<button id="more">More</button><script>${appended} more.onclick = add</script>`) },
    options: act([{ type: "click", selector: "#more" }]),
    has,
  },
  {
    name: "type",
    pages: {
      "/": article(
        `<input id="name"><p id="said"></p><script>document.querySelector("input").oninput = event => { said.textContent = "The visitor is called " + event.target.value + "." }</script>`,
      ),
    },
    options: act([{ type: "type", selector: "#name", text: "Ann Lind" }]),
    has: ["The visitor is called Ann Lind."],
  },
  {
    name: "press",
    pages: {
      "/": article(
        `<input autofocus><script>${appended} onkeydown = event => { if (event.key === "Enter") add() }</script>`,
      ),
    },
    options: act([{ type: "press", key: "Enter" }]),
    has,
  },
  {
    name: "wait for a selector",
    pages: {
      "/": article(
        `<script>${appended} setTimeout(() => { add(); document.body.className = "ready" }, 3500)</script>`,
      ),
    },
    options: { js_render: { wait_for: { selector: ".ready" } } },
    has,
  },
  {
    name: "a cookie banner is left out",
    pages: {
      "/": article(
        `<p>${story}</p><script>document.body.insertAdjacentHTML("beforeend", "<div id='cookie-banner' class='cookie-consent' role='dialog' style='position:fixed;bottom:0'>We use cookies to improve your experience. <button>Accept all</button></div>")</script>`,
      ),
    },
    has,
    lacks: ["We use cookies"],
  },
  {
    name: "consent by a click",
    pages: {
      "/": app(
        `document.body.insertAdjacentHTML("beforeend", "<button id=ok>Agree</button>"); ok.onclick = () => { ok.remove(); ${show} }`,
      ),
    },
    options: act([{ type: "click", selector: "#ok" }]),
    has,
  },
  { name: "pushState", pages: { "/": app(`history.pushState(null, "", "elsewhere"); ${show}`) }, has },
  {
    name: "redirect by script",
    pages: { "/": app('location.href = "there"'), "/there": article(`<p>${story}</p>`) },
    has,
  },
  {
    name: "redirect by meta",
    pages: {
      "/": page("", '<meta http-equiv="refresh" content="0; url=there">'),
      "/there": article(`<p>${story}</p>`),
    },
    has,
  },
  {
    name: "redirect by form",
    pages: {
      "/": page('<form action="there"></form><script>document.forms[0].submit()</script>'),
      "/there": article(`<p>${story}</p>`),
    },
    has,
  },
  { name: "alert", pages: { "/": app(`alert("Hello"); ${show}`) }, has },
  { name: "confirm", pages: { "/": app(`confirm("Sure?"); ${show}`) }, has },
  {
    name: "beforeunload",
    pages: {
      "/": app('onbeforeunload = () => "Stay"; location.href = "there"'),
      "/there": article(`<p>${story}</p>`),
    },
    has,
  },
  { name: "window.open", pages: { "/": app(`open("there"); ${show}`), "/there": "<p>Another page" }, has },
  {
    name: "a download",
    pages: {
      "/": app(
        `${show} const link = Object.assign(document.createElement("a"), { href: "file", download: "file.bin" }); document.body.append(link); link.click()`,
      ),
      "/file": {
        headers: { "content-type": "application/octet-stream", "content-disposition": "attachment" },
        body: "bytes",
      },
    },
    has,
  },
  {
    name: "a service worker",
    pages: {
      "/": app(`navigator.serviceWorker?.register("worker.js").catch(() => 0); ${show}`),
      "/worker.js": { headers: { "content-type": "text/javascript" }, body: "onfetch = () => 0" },
    },
    has,
  },
  {
    name: "a worker that computes the text",
    pages: {
      "/": app(
        'new Worker("worker.js").onmessage = ({ data }) => { document.getElementById("app").innerHTML = "<h1>Ferry</h1><p>" + data + "</p>" }',
      ),
      "/worker.js": {
        headers: { "content-type": "text/javascript" },
        body: `postMessage(${JSON.stringify(story)})`,
      },
    },
    has,
  },
  {
    name: "a socket that fails",
    pages: { "/": app(`new WebSocket("ws://" + location.host + "/none").onerror = () => { ${show} }`) },
    has,
  },
  {
    name: "locale",
    pages: {
      "/": article(
        '<p id="said"></p><script>said.textContent = "The reader speaks " + navigator.language + " here."</script>',
      ),
    },
    options: { request: { locale: "de-AT" } },
    has: ["The reader speaks de-AT here."],
  },
  {
    name: "mobile",
    pages: {
      "/": article(
        '<p id="said"></p><script>said.textContent = innerWidth < 500 && navigator.maxTouchPoints > 0 ? "The screen is small here." : "The screen is large here."</script>',
        '<meta name="viewport" content="width=device-width">',
      ),
    },
    options: { request: { device: "mobile" } },
    has: ["The screen is small here."],
  },
  {
    name: "a dark scheme",
    pages: {
      "/": article(
        '<p id="said"></p><script>said.textContent = matchMedia("(prefers-color-scheme: dark)").matches ? "It is dark here." : "It is light here."</script>',
      ),
    },
    options: { js_render: { color_scheme: "dark" } },
    has: ["It is dark here."],
  },
  {
    name: "a wall for programs",
    pages: { "/": app(`if (!navigator.webdriver) { ${show} }`) },
    has,
    isPolicy: true,
  },
  {
    name: "a wall for browsers without plug-ins",
    pages: { "/": app(`if (window.chrome && navigator.plugins.length > 0) { ${show} }`) },
    has,
    isPolicy: true,
  },
];

export const doings: Behaviour[] = [...readiness, ...acting];
