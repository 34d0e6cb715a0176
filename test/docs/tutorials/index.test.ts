import { findOnPath } from "../../support/debian-binary.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { needs } from "../../support/needs.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { root } from "../pages.ts";
import { type Service, startService } from "../service.ts";
import { untilReads } from "./ask.ts";
import { Tutorial } from "./tutorial.ts";

/** A documentation whose pages the test changes. */
const html = (title: string, text: string) => `<!doctype html><html lang="en"><title>${title}</title>
  <nav>${Object.keys(documents)
    .map(path => `<a href="${path}">${path}</a>`)
    .join(" ")}</nav><main><h1>${title}</h1>${text}</main></html>`;
const documents: Record<string, [title: string, text: string]> = {
  "/guide/": ["Guide", "<p>The guide to a product that has an API.</p>"],
  "/guide/errors": ["Errors", "<h2>Teapots</h2><p>A request to a teapot is answered with 418.</p>"],
  "/guide/limits": ["Limits", "<h2>Rates</h2><p>A client may send 600 requests a minute.</p>"],
};
const lower: [string, string] = ["Limits", "<h2>Rates</h2><p>A client may send 300 requests a minute.</p>"];

let service: Service;
let docs: Site;
let tutorial: Tutorial;

const withPython = needs(findOnPath("python3") !== undefined, "Python, which runs examples");

beforeAll(async () => {
  [service, docs] = await Promise.all([
    startService({ POLL_MIN_INTERVAL: "1s", ...withoutBrowser }),
    startSite((request, response) => {
      const found = documents[new URL(request.url ?? "/", "http://docs.test").pathname];
      response.writeHead(found ? 200 : 404, { "content-type": "text/html" });
      response.end(found ? html(...found) : "Nothing is here.");
    }),
  ]);
  await untilReads(service, `${docs.url}/guide/`);
});
afterAll(async () => {
  await service?.stop();
  await docs?.close();
});
afterEach(() => tutorial?.stop());

/** The shortest rounds of a site are a minute, and a removal takes two visits half a minute apart. */
const roundsMs = 330_000;

withPython.test("an index follows a site: what changes, what is new and what is gone", async () => {
  const addresses = {
    "https://docs.example": docs.url,
    " --interval 15m": " --interval 1m",
    "examples/python/": `${root}/examples/python/`,
  };
  tutorial = await Tutorial.open("an-index-that-stays-fresh", { service, addresses });
  await tutorial.next();
  await tutorial.nextOnce();
  const program = await tutorial.begin();
  await program.shows();
  await tutorial.next();
  documents["/guide/limits"] = lower;
  documents["/guide/webhooks"] = [
    "Webhooks",
    "<h2>Signatures</h2><p>A delivery has a signature in its headers.</p>",
  ];
  delete documents["/guide/errors"];
  const said = [
    `site.page.changed ${docs.url}/guide/limits`,
    `site.page.added ${docs.url}/guide/webhooks`,
    `site.page.removed ${docs.url}/guide/errors`,
  ];
  const missing = () => said.filter(each => !program.output().includes(each));
  await until("the program says all three", () => missing().length === 0, roundsMs).catch(cause => {
    throw new Error(`not said: ${missing()}; ${program.output()}`, { cause });
  });
  await tutorial.next();
  expect((await tutorial.next()).trim()).toBe("");
  await tutorial.close();
});
