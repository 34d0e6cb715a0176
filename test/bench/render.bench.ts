import { PNG } from "pngjs";
import puppeteer, { type Browser } from "puppeteer";
import { browserArguments } from "../../mixins/browser/browser-process.ts";
import { findBrowser } from "../../mixins/browser/find-browser.ts";
import { readHtml } from "../../reader/reader.ts";
import { type Routes, type Site, startSite } from "../support/http-site.ts";
import { type Bench, verdict } from "./compare.ts";
import { type Program, startProgram } from "./program.ts";
import { type Behaviour, doings } from "./render-behaviours.ts";
import { shapes } from "./render-shapes.ts";

/** What a side reads of a page. */
interface Read {
  markdown: string;
  picture?: Uint8Array;
}

/** A page of which the bare browser gets no load event ends so. */
const loadMs = 15_000;
const timeout = 30_000;

/**
 * What pages do and what is read of them, beside a bare browser whose page is read by the same reader after its load event.
 * That one has no actions and no options, so it cannot have all. Policy is shown, and does not count.
 */
export const render: Bench = async () => {
  const behaviours = [...doings, ...shapes];
  const sites = await Promise.all(["127.0.0.1", "127.0.0.2"].map(host => serve(behaviours, host)));
  const [site, abroad] = sites as [Site, Site];
  abroadUrl.set(site.port, abroad.url);
  const browser = await openBrowser();
  const program = await startProgram([], { EGRESS_ALLOW: "127.0.0.0/8" });
  try {
    const right = { magpie: [] as string[], bare: [] as string[] };
    const wrong: string[] = [];
    for (const [at, behaviour] of behaviours.entries()) {
      const url = `${site.url}/${at}/`;
      const ours = await isRight(behaviour, () => scrape(program, url, behaviour));
      if (ours === undefined) right.magpie.push(behaviour.name);
      else wrong.push(`${behaviour.name}${behaviour.isPolicy ? " (policy)" : ""}: ${ours}`);
      if ((await isRight(behaviour, () => bare(browser, url, behaviour))) === undefined)
        right.bare.push(behaviour.name);
    }
    const wanted = behaviours.filter(({ isPolicy }) => !isPolicy).length;
    const line = `render: ${right.magpie.length} of ${behaviours.length} behaviours, ${right.bare.length} by a bare browser after load`;
    return [
      verdict(line, right.magpie.length, ">=", wanted),
      ...wrong.map(each => ({ line: `render: not right: ${each}` })),
      { line: `render: bare browser: ${right.bare.join(", ")}` },
    ];
  } finally {
    await Promise.all([program.stop(), browser.close(), ...sites.map(each => each.close())]);
  }
};

/** The address of the other site, by the port of the one that leads to it. */
const abroadUrl = new Map<number, string>();

/** Each behaviour has a folder of its number. */
function serve(behaviours: Behaviour[], host: string): Promise<Site> {
  return startSite(
    (request, response) => {
      const [, at = "", path = ""] = /^\/(\d+)(\/[^?]*)/.exec(request.url ?? "") ?? [];
      const routes: Routes = behaviours[Number(at)]?.pages ?? {};
      const route =
        at !== "" && Object.hasOwn(routes, path) ? routes[path] : { status: 404, body: "not found" };
      if (typeof route === "function") return route(request, response);
      const isBare = typeof route === "string" || route instanceof Uint8Array || route === undefined;
      const { status = 200, headers = {}, body = "" } = isBare ? { body: route } : route;
      const other = abroadUrl.get(request.socket.localPort ?? 0) ?? "";
      response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
      response.end(typeof body === "string" ? body.replaceAll("ABROAD", `${other}/${at}`) : body);
    },
    undefined,
    host,
  );
}

/** Undefined where it is. */
async function isRight(
  { has = [], lacks = [], picture }: Behaviour,
  read: () => Promise<Read>,
): Promise<string | undefined> {
  const got = await read().catch((error: unknown) => String(error));
  if (typeof got === "string") return got.slice(0, 200);
  const missing = has.find(text => !got.markdown.includes(text));
  if (missing !== undefined) return `without ${JSON.stringify(missing.slice(0, 60))}`;
  const found = lacks.find(text => got.markdown.includes(text));
  if (found !== undefined) return `with ${JSON.stringify(found.slice(0, 60))}`;
  return picture && wrongPicture(picture, got.picture);
}

function wrongPicture(
  { height, drawn }: NonNullable<Behaviour["picture"]>,
  bytes: Uint8Array = new Uint8Array(),
) {
  const png = PNG.sync.read(Buffer.from(bytes));
  if (png.height !== height) return `${png.height} px of ${height}`;
  const white = drawn.find(row => png.data[(row * png.width + 600) * 4] === 255);
  return white === undefined ? undefined : `white at ${white} px`;
}

async function scrape(program: Program, url: string, { options = {}, picture }: Behaviour): Promise<Read> {
  const { js_render = {}, request = {}, output = { formats: ["markdown"] } } = options;
  const body = { url, timeout, js_render: { enabled: true, ...js_render }, request, output };
  const { data } = (await program.ask("POST", "/web/scrape", body)) as {
    data: { markdown?: string; screenshot?: string };
  };
  const { markdown = "", screenshot } = data;
  if (!picture) return { markdown };
  const headers = { "x-api-key": program.key };
  const answer = await fetch(`${program.address}/web/screenshot/${screenshot}`, { headers });
  return { markdown, picture: new Uint8Array(await answer.arrayBuffer()) };
}

async function bare(browser: Browser, url: string, { picture }: Behaviour): Promise<Read> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    page.on("dialog", dialog => void dialog.dismiss().catch(() => undefined));
    await page.goto(url, { waitUntil: "load", timeout: loadMs });
    const { markdown = "" } = readHtml(await page.content(), { url: page.url() });
    return { markdown, ...(picture && { picture: await page.screenshot({ fullPage: true }) }) };
  } finally {
    await context.close();
  }
}

async function openBrowser(): Promise<Browser> {
  const binary = await findBrowser(process.env.BROWSER_PATH, {
    searchPath: process.env.PATH ?? "",
    dataDir: "data",
  });
  if (binary === undefined) throw new Error("no browser on this machine");
  return await puppeteer.launch({
    executablePath: binary.executablePath,
    headless: binary.kind === "shell" ? "shell" : true,
    defaultViewport: { width: 1280, height: 800 },
    args: [
      ...browserArguments.filter(flag => !flag.startsWith("--proxy-")),
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    env: { ...process.env, ...binary.env },
  });
}
