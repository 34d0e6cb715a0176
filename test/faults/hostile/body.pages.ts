import { docx, paragraph, xlsx } from "../../support/office.ts";
import { brotliBomb, gzipBomb, gzipTwiceBomb, pdfBomb, pngBomb } from "./bombs.ts";
import { drip, flood, type HostilePages, marked, scripted } from "./site.ts";

const html = "text/html; charset=utf-8";
const encoded = (encoding: string, body: Buffer, type = html) => ({
  headers: { "content-type": type, "content-encoding": encoding },
  body,
});
const layers = Array.from({ length: 10 }, (_, n) => {
  const uses = `<use href="#l${n}"/>`.repeat(10);
  return `<g id="l${n + 1}">${uses}</g>`;
}).join("");
const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">${inner}</svg>`;
const laughs = svg(`<defs><g id="l0"><text>laugh</text></g>${layers}</defs><use href="#l10"/>`);
const blurs = svg(
  `<filter id="f">${'<feTurbulence baseFrequency="0.9" numOctaves="200"/><feGaussianBlur stdDeviation="900"/><feMorphology radius="500"/>'.repeat(50)}</filter><rect width="4000" height="4000" filter="url(#f)"/>`,
);
const entities = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "laugh">${Array.from({ length: 10 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join("")}]>${svg("<text>&a10;</text>")}`;

const farCells = `<sheetData>${Array.from({ length: 100_000 }, (_, n) => `<row r="${n * 10}"><c r="XFD${n * 10}"><v>1</v></c></row>`).join("")}</sheetData>`;

/** Pages whose bodies, or whose parts, are too long, too slow, or larger than they look. */
export const bodyPages: HostilePages = {
  drip: { "/": drip(html, "<p>one more</p>", 200) },
  flood: {
    "/": flood(html, "<!doctype html><title>Flood</title>", "<p>one more line of text</p>".repeat(1000)),
  },
  "script-drip": {
    "/": marked('<script src="./part"></script>'),
    "/part": drip("text/javascript", "/* more */", 200),
  },
  "gzip-bomb": { "/": encoded("gzip", gzipBomb) },
  "gzip-twice-bomb": { "/": encoded("gzip, gzip", gzipTwiceBomb) },
  "brotli-bomb": { "/": encoded("br", brotliBomb) },
  "bombs-as-parts": {
    "/": scripted(
      "for (let n = 0; n < 20; n += 1) fetch('./gzip?' + n).then(answer => answer.arrayBuffer()).then(body => (window['kept' + n] = body)).catch(() => {})",
      '<script src="./gzip"></script><link rel=stylesheet href="./br"><img src="./gzip">',
    ),
    "/gzip": encoded("gzip", gzipBomb, "text/javascript"),
    "/br": encoded("br", brotliBomb, "text/css"),
  },
  "docx-bomb": {
    "/": {
      headers: { "content-type": "application/octet-stream" },
      body: docx(paragraph("word ").repeat(150_000)),
    },
  },
  "xlsx-bomb": {
    "/": {
      headers: { "content-type": "application/octet-stream" },
      body: xlsx({ sheets: { One: farCells } }),
    },
  },
  "pdf-bomb": { "/": { headers: { "content-type": "application/pdf" }, body: pdfBomb() } },
  "svg-laughs": {
    "/": marked(`${laughs}<img src="./laughs.svg"><img src="./entities.svg">`),
    "/laughs.svg": { headers: { "content-type": "image/svg+xml" }, body: laughs },
    "/entities.svg": { headers: { "content-type": "image/svg+xml" }, body: entities },
  },
  "svg-filters": { "/": marked(blurs) },
  "huge-image": {
    "/": marked('<img src="./huge.png"><img src="./huge.png?2" width=30000 height=30000>'),
    "/huge.png": { headers: { "content-type": "image/png" }, body: pngBomb() },
  },
  "import-chain": {
    "/": marked('<link rel=stylesheet href="./more?0">'),
    "/more": ({ url = "" }, response) => {
      const next = Number(url.split("?")[1] ?? 0) + 1;
      response
        .setHeader("content-type", "text/css")
        .end(`@import "./more?${next}"; @import "./more?${next}b";`);
    },
  },
  fonts: {
    "/": marked(
      `<style>${Array.from({ length: 500 }, (_, n) => `@font-face { font-family: f${n}; src: url("./font?${n}") } .f${n} { font-family: f${n} }`).join("")}</style>${Array.from({ length: 500 }, (_, n) => `<p class=f${n}>text</p>`).join("")}`,
    ),
    "/font": drip("font/woff2", "wOF2\0\x01", 100),
  },
  media: {
    "/": scripted(
      "for (const each of document.querySelectorAll('video, audio')) each.play().catch(() => {})",
      '<video src="./film" autoplay muted loop></video><audio src="./film" autoplay></audio>'.repeat(30),
    ),
    "/film": flood("video/webm", "\x1aE\xdf\xa3", "\0".repeat(65_536)),
  },
  cookies: {
    "/": {
      headers: {
        "content-type": html,
        "set-cookie": Array.from({ length: 30 }, (_, n) => `c${n}=${"x".repeat(300)}; Path=/cookies`),
      },
      body: scripted(
        "for (let n = 0; n < 5000; n += 1) document.cookie = 'd' + n + '=' + 'y'.repeat(4000) + '; path=/p' + n",
      ),
    },
  },
  "json-body": {
    "/": {
      headers: { "content-type": "application/json" },
      body: `[${'{"a":[1,2,3],"b":"text"},'.repeat(2e6)}0]`,
    },
  },
  "synchronous-requests": {
    "/": scripted(
      "for (;;) { const request = new XMLHttpRequest(); request.open('GET', './drip?' + Math.random(), false); try { request.send() } catch {} }",
    ),
    "/drip": drip("text/plain", "more", 200),
  },
};
