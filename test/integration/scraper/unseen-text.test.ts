import { type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const sentence = (what: string) =>
  `The ${what} of the harbour museum is open to visitors on every day of the week until the first storm of autumn.`;
const shown = ["hall", "roof", "stairs", "lamp room"].map(room => `<p>${sentence(room)}</p>`).join("");
/** A page that has scripts, so that it is rendered, and a style sheet. */
const page = (css: string, body: string) =>
  `<title>t</title><style>${css}</style><main><h1>Museum</h1>${shown}${body}</main><script>document.title = "Museum"</script>`;
const secret = `<p class="x">${sentence("secret tunnel")}</p>`;
const panel = `<div class="x">${`<p>${sentence("cellar")}</p>`}</div>`;

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/none": page(".x { display: none }", secret),
    "/visibility": page(".x { visibility: hidden }", secret),
    "/opacity": page(".x { opacity: 0 }", secret),
    "/within": page(".box { display: none }", `<section class="box"><div>${secret}</div></section>`),
    "/clipped": page(
      ".x { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }",
      secret,
    ),
    "/clipped-beside": page(
      ".x { position: absolute; width: 1px; height: 1px; overflow: hidden } .y { display: none }",
      `<div class="x"><span class="y">closed</span> ${sentence("secret tunnel")}</div>`,
    ),
    "/clipped-around": page(
      ".x { position: absolute; width: 1px; height: 1px; overflow: hidden } iframe { display: none }",
      `<div class="x">${sentence("secret tunnel")} <iframe srcdoc="closed"></iframe></div>`,
    ),
    "/away": page(".x { position: absolute; left: -9999px }", secret),
    "/zero": page(".x { font-size: 0 }", secret),
    "/component": page(
      "",
      `<x-part></x-part><script>document.querySelector("x-part").attachShadow({ mode: "open" }).innerHTML =
        ${JSON.stringify(`<style>.x { display: none }</style>${secret}<p>${sentence("tower")}</p>`)}</script>`,
    ),
    "/frame": page(
      "",
      `<iframe srcdoc='<style>.x { display: none }</style>${secret}<p>${sentence("tower")}</p>'></iframe>`,
    ),
    "/cell": page(
      ".x { display: none } .y { visibility: hidden }",
      "<table><tr><th>Room<th class=x>Key<th>Floor<th>Door<tr><td>Hall<td class=x>secret tunnel<td>1<td>Red<tr><td>Roof<td class=x>K2<td class=y>secret tunnel<td>Blue</table>",
    ),
    "/question": page(".x { display: none }", `<h2 style="cursor: pointer">Is there a cellar?</h2>${panel}`),
    "/button": page(".x { display: none }", `<button>Show the rooms below</button>${panel}`),
    "/expanded": page(
      ".x { display: none }",
      `<div aria-expanded="false">Rooms below</div><div>${panel}</div>`,
    ),
    "/pages": page(
      ".pane { display: none } .active { display: block }",
      `<div class="pane active"><p>${sentence("tower")}</p></div><div class="pane"><p>${sentence("cellar")}</p></div>`,
    ),
    "/details": page("", `<details><summary>More</summary><p>${sentence("cellar")}</p></details>`),
    "/faded": page(".x { opacity: 0; transition: opacity 1s }", panel),
    "/animated": page(
      ".x { visibility: hidden }",
      `<div class="x wow fadeInUp"><p>${sentence("cellar")}</p></div>`,
    ),
    "/parts": page(
      ".x { opacity: 0 }",
      `${panel}${`<div class="x"><p>${sentence("tower")}</p></div>`.repeat(4)}`,
    ),
    "/inner": page(
      ".x { visibility: hidden } .y { visibility: visible }",
      `<div class="x">secret tunnel <p class="y">${sentence("cellar")}</p></div>`,
    ),
    "/most": page(
      "#app { display: none }",
      `<div id="app">${Array.from({ length: 9 }, (_, n) => `<p>${sentence(`room ${n}`)} ${sentence("cellar")}</p>`).join("")}</div>`,
    ),
    "/all": `<title>t</title><style>body { opacity: 0 }</style><main><h1>Museum</h1>${shown}<p>${sentence("cellar")}</p></main><script>document.title = "Museum"</script>`,
    "/large": `<title>t</title><style>.x { display: none }</style><main>${shown}</main><div id=many></div><script>
      const many = document.getElementById("many");
      for (let n = 0; n < 200_000; n++) many.append(document.createElement("i"));</script>`,
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const read = async (path: string, only_main_content = false) => {
  const output = { formats: ["markdown", "raw_html"] };
  const { data } = await scraper.job({ url: site.url + path, output, request: { only_main_content } });
  expect(data.metadata.engine).toBe("browser");
  return data;
};

describe("what a style sheet hides is not read", () => {
  test.each([
    ["without a box", "/none"],
    ["unseen", "/visibility"],
    ["transparent", "/opacity"],
    ["within what is hidden", "/within"],
    ["for screen readers only", "/clipped"],
    ["for screen readers only, with what has no box before it", "/clipped-beside"],
    ["for screen readers only, with a frame without a box in it", "/clipped-around"],
    ["away from the page", "/away"],
    ["of no size", "/zero"],
    ["in a shadow tree", "/component"],
    ["in a frame", "/frame"],
  ])("%s", async (_, path) => {
    const { markdown, raw_html } = await read(path);
    expect(markdown).toContain(sentence("stairs"));
    expect(markdown).not.toContain("secret tunnel");
    if (path === "/component" || path === "/frame") expect(markdown).toContain(sentence("tower"));
    else expect(raw_html).toContain("secret tunnel");
    expect(raw_html).not.toMatch(/aria-hidden|data-magpie| hidden(?:=|>)/);
  });

  test("a cell without a box has no place, and one that is unseen has", async () => {
    const { markdown } = await read("/cell");
    expect(markdown).toContain("| Room | Floor | Door |");
    expect(markdown).toContain("| Hall | 1 | Red |");
    expect(markdown).toMatch(/\| Roof \| +\| Blue \|/);
  });
});

describe("what a control opens, or comes into view, is read", () => {
  test.each([
    ["below a heading that can be clicked", "/question"],
    ["after a button", "/button"],
    ["beside what says that it expands", "/expanded"],
    ["a page of which another one is shown", "/pages"],
    ["details", "/details"],
    ["what is faded in", "/faded"],
    ["what is animated", "/animated"],
    ["a third of the page that is transparent", "/parts"],
    ["what is shown within what is not", "/inner"],
    ["most of the page", "/most"],
    ["all of the page", "/all"],
  ])("%s", async (_, path) => {
    expect((await read(path)).markdown).toContain(sentence("cellar"));
  });
});

test("a page of very many elements is read", async () => {
  expect((await read("/large")).markdown).toContain(sentence("stairs"));
});
