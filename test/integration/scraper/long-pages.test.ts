import { PNG } from "pngjs";
import { type Site, startSite } from "../../support/http-site.ts";
import { pngSize, type Scraper, startScraper } from "./scraper.ts";

const sentence = (what: string) =>
  `The ${what} of the harbour museum is open to visitors on every day of the week until the first storm of autumn.`;
const rooms = Array.from({ length: 12 }, (_, n) => `room ${n + 1}.`);
/** Sections that a script fills when they come into view. */
const lazy = (fill: string) => `<title>t</title><h1>Museum</h1><p>${sentence("hall")}</p>
  ${rooms.map(room => `<section style="height: 900px" data-room="${room}"></section>`).join("")}<script>
  const observer = new IntersectionObserver(entries => entries.forEach(({ isIntersecting, target }) => {
    if (!isIntersecting || target.firstChild) return;
    ${fill}
  }));
  document.querySelectorAll("section").forEach(section => observer.observe(section));</script>`;
const bands = (height: number, style = "") => `<title>t</title><body style="margin: 0; ${style}"><script>
  const colours = ["#ff0000", "#00ff00", "#0000ff"];
  for (let top = 0, n = 0; top < ${height}; top += 1000, n++) {
    const band = document.createElement("div");
    band.style.height = Math.min(1000, ${height} - top) + "px";
    band.style.background = "linear-gradient(90deg, " + colours[n % 3] + " 50%, #888888 90%)";
    document.body.append(band);
  }</script>`;

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/lazy": lazy(
      `target.textContent = ${JSON.stringify(sentence("ROOM"))}.replace("ROOM", target.dataset.room);`,
    ),
    "/fetched": lazy(
      'target.append("…"); fetch("/room?" + target.dataset.room).then(answer => answer.text()).then(text => { target.textContent = text });',
    ),
    "/room": (request, response) => {
      response.end(sentence(decodeURIComponent((request.url ?? "").split("?")[1] ?? "")));
    },
    "/inner": `<title>t</title><body style="margin: 0"><div style="height: 100vh; overflow-y: auto">${lazy(
      `target.textContent = ${JSON.stringify(sentence("ROOM"))}.replace("ROOM", target.dataset.room);`,
    )}</div>`,
    "/more": `<title>t</title><div id=all></div><script>
      let n = 0;
      const add = () => { for (let k = 0; k < 5; k++) all.insertAdjacentHTML("beforeend", "<p style='height: 400px'>${sentence("ROOM")}</p>".replace("ROOM", "room " + ++n + ".")); };
      add();
      onscroll = () => { if (n < 40 && scrollY + innerHeight > document.documentElement.scrollHeight - 100) add(); };</script>`,
    "/list": `<title>t</title><div id="all" style="position: relative; height: 16000px"></div><script>
      const rows = new Map();
      const draw = () => {
        const first = Math.max(0, Math.floor((scrollY - 400) / 200));
        for (const [n, row] of rows) if (n < first || n > first + 8) { row.remove(); rows.delete(n); }
        for (let n = first; n <= Math.min(79, first + 8); n++) if (!rows.has(n)) {
          const row = Object.assign(document.createElement("p"), { textContent: ${JSON.stringify(sentence("ROOM"))}.replace("ROOM", "room " + n + ".") });
          row.style = "position: absolute; top: " + n * 200 + "px";
          rows.set(n, row);
          all.append(row);
        }
      };
      draw();
      onscroll = draw;</script>`,
    "/endless": `<title>t</title><div id=all></div><script>
      const add = () => all.insertAdjacentHTML("beforeend", "<p style='height: 9000px'>${sentence("hall")}</p>");
      add();
      onscroll = add;</script>`,
    "/drawn": lazy('target.style.background = "#ff0000"; target.append(target.dataset.room);'),
    "/tall": bands(20_000),
    "/taller": bands(40_000),
    "/dark": `<title>t</title><style>body { background: #ffffff } @media (prefers-color-scheme: dark) { body { background: #0000ff } }</style>
      <p id=p></p><script>p.textContent = matchMedia("(prefers-color-scheme: dark)").matches ? "It is dark." : "It is light.";</script>`,
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const read = async (
  path: string,
  js_render: Record<string, unknown> = {},
  output: Record<string, unknown> = {},
) =>
  (
    await scraper.job({
      url: site.url + path,
      // A picture ends where the time of its scrape does, which is short on a busy machine.
      timeout: 120_000,
      output: { formats: ["markdown"], ...output },
      js_render: { enabled: true, ...js_render },
      request: { only_main_content: false },
    })
  ).data;

const picture = async (path: string, js_render = {}, screenshot = "full_page") => {
  const data = await read(path, js_render, { formats: ["screenshot"], screenshot });
  const headers = { "x-api-key": scraper.apiKey };
  const response = await fetch(`${scraper.url}/web/screenshot/${data.screenshot}`, { headers });
  return { png: new Uint8Array(await response.arrayBuffer()), warning: data.metadata.warning };
};

describe("a page that is scrolled to its end", () => {
  test.each([
    ["what a script writes when it is seen", "/lazy"],
    ["what a script fetches when it is seen", "/fetched"],
    ["within a part that scrolls", "/inner"],
  ])("%s", async (_, path) => {
    const { markdown, metadata } = await read(path, { scroll: "full" });
    for (const room of rooms) expect(markdown).toContain(sentence(room));
    expect(metadata.warning).toBeUndefined();
    expect((await read(path)).markdown).not.toContain(sentence("room 12."));
  });

  test("grows as far as it grows", async () => {
    expect((await read("/more", { scroll: "full" })).markdown).toContain(sentence("room 40."));
  });

  test("has the rows that a list removes when they have passed, once and in order", async () => {
    const { markdown = "" } = await read("/list", { scroll: "full" });
    const at = Array.from({ length: 80 }, (_, n) => markdown.split(sentence(`room ${n}.`)));
    expect(at.map(({ length }) => length)).toEqual(at.map(() => 2));
    const places = at.map(([before = ""]) => before.length);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("says that it goes on", async () => {
    const url = `${site.url}/endless`;
    const body = { url, js_render: { enabled: true, scroll: "full" }, timeout: 12_000 };
    const { markdown, metadata } = (await scraper.job(body)).data;
    expect(markdown).toContain(sentence("hall"));
    expect(metadata.warning).toContain("goes on");
  });
});

describe("a picture of a whole page", () => {
  test("is not cut at the height that is drawn at once", async () => {
    const { png, warning } = await picture("/tall");
    expect(pngSize(png)).toEqual([1280, 20_000]);
    expect(warning ?? "").not.toContain("screenshot");
    const { data } = PNG.sync.read(Buffer.from(png));
    const colours = ["255,0,0", "0,255,0", "0,0,255"];
    for (let row = 0; row < 20_000; row += 500) {
      const [r, g, b] = data.subarray((row * 1280 + 10) * 4);
      expect([row, [r, g, b].join()]).toEqual([row, colours[Math.floor(row / 1000) % 3]]);
    }
  });

  test("says where it ends", async () => {
    const { png, warning } = await picture("/taller");
    expect(pngSize(png)).toEqual([1280, 32_000]);
    expect(warning).toContain("The screenshot shows 32000 of 40000 px of the page.");
  });

  test("has what is drawn when it is seen", async () => {
    const { data, width } = PNG.sync.read(Buffer.from((await picture("/drawn")).png));
    const isRed = (row: number) =>
      data[(row * width + 600) * 4] === 255 && data[(row * width + 600) * 4 + 1] === 0;
    for (let n = 0; n < rooms.length; n++) expect([n, isRed(600 + n * 900)]).toEqual([n, true]);
  });
});

test("a page is shown in the colours that are asked for, and the next one in its own", async () => {
  const dark = await picture("/dark", { color_scheme: "dark" }, "viewport");
  expect([...PNG.sync.read(Buffer.from(dark.png)).data.subarray(0, 3)]).toEqual([0, 0, 255]);
  expect((await read("/dark", { color_scheme: "dark" })).markdown).toContain("It is dark.");
  expect((await read("/dark")).markdown).toContain("It is light.");
});
