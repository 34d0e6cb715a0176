import { type Site, startSite } from "../../support/http-site.ts";
import { linkIn, type MailServer, startMailServer } from "../../support/mail-server.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { blocksOf, page } from "../pages.ts";
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
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  [service, docs] = await Promise.all([
    startService({
      POLL_MIN_INTERVAL: "1s",
      SMTP_URL: mail.url,
      SMTP_FROM: "magpie@example.com",
      PUBLIC_URL: "http://magpie.test",
      ...withoutBrowser,
    }),
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
  await Promise.all([docs?.close(), mail?.close()]);
});
afterEach(() => tutorial?.stop());

/** The shortest rounds of a site are a minute, and a change is confirmed. */
const roundsMs = 240_000;

test("a page that changes is a mail, once the owner of the address has agreed", async () => {
  // A round begins each minute where no interval is asked for.
  const addresses = { "https://docs.example": docs.url, " --interval 15m": "" };
  tutorial = await Tutorial.open("site-changes-by-mail", { service, addresses });
  await tutorial.next();
  await tutorial.next();
  await tutorial.nextOnce();
  await tutorial.next();
  await until("the question comes", () => mail.mails.length === 1);
  const { pathname, search } = new URL(linkIn(mail.mails[0], "confirm"), service.url);
  expect((await fetch(service.url + pathname + search, { method: "POST" })).status).toBe(200);
  documents["/guide/limits"] = lower;
  await until("the change is a mail", () => mail.mails.length === 2, roundsMs);
  const shown = blocksOf(page("docs/tutorials/site-changes-by-mail.md")).find(({ info }) => info === "mail");
  const text = mail.mails[1]?.parts.get("text/plain") ?? "";
  for (const line of shown?.text.trim().split("\n") ?? []) expect(text).toContain(line);
  expect(shown?.text).toContain("300");
  await tutorial.next();
  await tutorial.next();
  await tutorial.close();
});
