import { type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const sentence = (what: string) =>
  `The ${what} of the lighthouse of the old harbour is open to visitors on every day of the week until the first storm of autumn.`;
const attach = (selector: string, html: string, mode = "open") =>
  `document.querySelector("${selector}").attachShadow({ mode: "${mode}" }).innerHTML = ${JSON.stringify(html)};`;

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/component": `<title>t</title><x-story></x-story><script>customElements.define("x-story", class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(`<h1>Lamps</h1><p>${sentence("lamp room")}</p>`)}; }
    })</script>`,
    "/plain": `<title>t</title><p>${sentence("cellar")}</p><div id=host></div><script>${attach("#host", `<p>${sentence("lamp room")}</p>`)}</script>`,
    "/nested": `<title>t</title><x-outer></x-outer><script>
      ${attach("x-outer", `<p>${sentence("cellar")}</p><x-inner></x-inner><p>${sentence("roof")}</p>`)}
      const inner = document.querySelector("x-outer").shadowRoot.querySelector("x-inner");
      inner.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(`<p>${sentence("lamp room")}</p>`)};</script>`,
    "/slotted": `<title>t</title><x-page><p>${sentence("lamp room")}</p><h1 slot=head>Lamps</h1></x-page><script>
      ${attach("x-page", `<header><slot name=head></slot></header><p>${sentence("cellar")}</p><slot></slot><p>${sentence("roof")}</p>`)}</script>`,
    "/late": `<title>t</title><x-late></x-late><script>setTimeout(() => { ${attach("x-late", `<p>${sentence("lamp room")}</p>`.repeat(3))} }, 1000)</script>`,
    "/tampered": `<title>t</title><body class=kept lang=en><form id=f><input name=textContent><input name=outerHTML><input name=shadowRoot></form>
      <img name=body><img name=documentElement><img name=querySelectorAll><a id=setTimeout>x</a><x-story></x-story><script>
      ${attach("x-story", `<p>${sentence("lamp room")}</p>`.repeat(3))}
      for (const type of [Element, Node, Document, DocumentFragment, ShadowRoot, Array])
        for (const name of Object.getOwnPropertyNames(type.prototype))
          if (name !== "constructor") try { Object.defineProperty(type.prototype, name, { get() { throw new Error(name) } }) } catch {}
      </script>`,
    "/closed": `<title>t</title><p>${sentence("cellar")}</p><x-story></x-story><script>${attach("x-story", `<p>${sentence("lamp room")}</p>`, "closed")}</script>`,
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const read = async (path: string, only_main_content = false) => {
  const output = { formats: ["markdown", "raw_html"] };
  return (await scraper.job({ url: site.url + path, output, request: { only_main_content } })).data;
};

describe("text of shadow trees that scripts make is read, in the order of display", () => {
  test.each([
    ["of a component", "/component", ["# Lamps", sentence("lamp room")]],
    ["of a plain element, beside other text", "/plain", [sentence("cellar"), sentence("lamp room")]],
    ["within another one", "/nested", [sentence("cellar"), sentence("lamp room"), sentence("roof")]],
    ["with slots", "/slotted", ["# Lamps", sentence("cellar"), sentence("lamp room"), sentence("roof")]],
    ["that come late", "/late", [sentence("lamp room")]],
    ["of a page that replaces what reads it", "/tampered", [sentence("lamp room")]],
  ])("%s", async (_, path, parts) => {
    const { markdown = "", metadata } = await read(path);
    const at = parts.map(part => markdown.indexOf(part));
    expect([markdown, at.includes(-1)]).toEqual([markdown, false]);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(metadata.warning).toBeUndefined();
  });

  test("also as main content", async () => {
    expect((await read("/component", true)).markdown).toContain(sentence("lamp room"));
  });
});

test("a closed shadow tree stays closed", async () => {
  const { markdown } = await read("/closed");
  expect(markdown).toContain(sentence("cellar"));
  expect(markdown).not.toContain(sentence("lamp room"));
});

test("the HTML keeps the tags around a shadow tree", async () => {
  const { raw_html = "" } = await read("/plain");
  expect(raw_html).toMatch(/^<html><head>.*<template shadowrootmode="open">.*<\/body><\/html>$/s);
});
