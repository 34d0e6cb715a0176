import { type Site, startSite } from "../../support/http-site.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { type Service, startService } from "../service.ts";
import { untilReads } from "./ask.ts";
import { Tutorial } from "./tutorial.ts";

const html = (title: string, text: string) => `<!doctype html><html lang="en"><title>${title}</title>
  <nav><a href="/guide/">Start</a> <a href="/guide/errors">Errors</a> <a href="/guide/limits">Limits</a>
  <a href="/guide/webhooks">Webhooks</a></nav><main><h1>${title}</h1>${text}</main></html>`;
const limits = (count: number) =>
  html("Limits", `<h2>Rates</h2><p>A client may send ${count} requests a minute.</p>`);
const documents: Record<string, string> = {
  "/": html("Example", "<p>An example of a page, which has a sentence.</p>"),
  "/guide/": html("Guide", "<p>The guide to a product that has an API.</p>"),
  "/guide/errors": html("Errors", "<h2>Teapots</h2><p>A request to a teapot is answered with 418.</p>"),
  "/guide/limits": limits(600),
  "/guide/webhooks": html("Webhooks", "<h2>Signatures</h2><p>A delivery has a signature in its headers.</p>"),
};

let service: Service;
let docs: Site;
let tutorial: Tutorial;

beforeAll(async () => {
  [service, docs] = await Promise.all([
    startService(withoutBrowser),
    startSite((request, response) => {
      const body = documents[new URL(request.url ?? "/", "http://docs.test").pathname];
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html" });
      response.end(body ?? "Nothing is here.");
    }),
  ]);
  await untilReads(service, `${docs.url}/`);
});
afterAll(async () => {
  await service?.stop();
  await docs?.close();
});
afterEach(() => tutorial?.stop());

test("a customer has a quota, a key that only reads, and a way into the portal", async () => {
  tutorial = await Tutorial.open("customers-with-keys", {
    service,
    addresses: { "https://example.com": docs.url },
  });
  await tutorial.next();
  const reports = JSON.parse(await tutorial.next()).data;
  const scrape = await fetch(`${service.url}/web/scrape`, {
    method: "POST",
    headers: { "x-api-key": reports.key, "content-type": "application/json" },
    body: JSON.stringify({ url: docs.url }),
  });
  expect([scrape.status, (await scrape.json()).code]).toEqual([403, "insufficient_scope"]);

  const { path } = JSON.parse(await tutorial.next()).data;
  expect((await fetch(service.url + path)).status).toBe(200);
  const signIn = await fetch(`${service.url}/session/password`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-magpie-csrf": "1", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ token: path.split("#")[1], password: "seven herons at the weir" }),
  });
  expect([signIn.status, (await signIn.json()).data]).toEqual([
    201,
    expect.objectContaining({ role: "owner", owner: "acme" }),
  ]);

  await tutorial.next();
  expect(JSON.parse(await tutorial.next()).code).toBe("quota_exceeded");
  expect(await tutorial.next()).toContain("1000");
  await tutorial.next();
  await tutorial.close();
});

test("a documentation is a folder of Markdown files, and git shows what has changed", async () => {
  tutorial = await Tutorial.open("documentation-into-files", {
    service,
    addresses: {
      "pages/docs.example": `pages/127.0.0.1_${docs.port}`,
      "https://docs.example": docs.url,
    },
  });
  await tutorial.next();
  await tutorial.next();
  await tutorial.next();
  await tutorial.next();
  documents["/guide/limits"] = limits(300);
  await tutorial.next();
  await tutorial.close();
});
