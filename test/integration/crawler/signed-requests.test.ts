import { generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { programAgent } from "../../../mixins/egress/identity.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { startMagpie } from "../../support/magpie.ts";
import { verifySignatures } from "../../support/verify-signature.ts";
import { type Crawler, startCrawler } from "./crawler.ts";

const directory = "/.well-known/http-message-signatures-directory";
const publicUrl = "https://magpie.example.com";
const text = "A page with enough words in it to be read as it was sent, without any script at all. ".repeat(
  5,
);
const page = (links = "") => `<!doctype html><title>Page</title><main><p>${text}</p>${links}</main>`;

let site: Site;
let other: Site;
let crawler: Crawler;

/** A site that takes nobody without a signature for its own address. */
async function strictSite(routes: Record<string, string>, host: string): Promise<Site> {
  return await startSite(
    async (request: IncomingMessage, response: ServerResponse) => {
      const { keys } = (await crawler.request("GET", directory)).json<{
        keys: { kid: string; x: string }[];
      }>();
      try {
        const message = { authority: String(request.headers.host), headers: request.headers };
        const { sig1 } = verifySignatures(message, keys);
        if (sig1?.tag !== "web-bot-auth" || Number(sig1.expires) * 1000 < Date.now()) throw new Error("old");
        nonces.add(sig1.nonce ?? "");
      } catch (error) {
        response.writeHead(403, { "content-type": "text/plain" }).end(String(error));
        return;
      }
      const to = routes[request.url ?? ""];
      if (to?.startsWith("http")) response.writeHead(302, { location: to }).end();
      else response.writeHead(to ? 200 : 404, { "content-type": "text/html" }).end(to ?? "not found");
    },
    undefined,
    host,
  );
}

const nonces = new Set<string>();

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  crawler = await startCrawler({
    egressAllow: ["127.0.0.1", "127.0.0.2"],
    publicUrl,
    botIdentity: { keys: [privateKey], publicUrl },
  });
  other = await strictSite({ "/c": page() }, "127.0.0.2");
  site = await strictSite(
    { "/": page('<a href="/b">B</a><a href="/away">C</a>'), "/b": page(), "/away": `${other.url}/c` },
    "127.0.0.1",
  );
});
afterAll(async () => {
  await crawler.stop();
  await Promise.all([site.close(), other.close()]);
});
beforeEach(() => {
  nonces.clear();
});

test("a site that checks signatures lets a crawl in, and each request has one of its own", async () => {
  const id = await crawler.accepted({
    url: `${site.url}/`,
    crawler: { include_external_links: true },
  });
  expect(await crawler.ended(id)).toMatchObject({ status: "completed" });
  expect(await crawler.pages(id)).toEqual(["/", "/b", "/c"]);
  const hits = [...site.hits, ...other.hits];
  expect(hits.map(({ url }) => url)).toEqual(expect.arrayContaining(["/robots.txt", "/sitemap.xml"]));
  expect(nonces.size).toBe(hits.length);
});

test("a scrape that names Magpie is signed, also for the host of a redirect; one that looks like a browser is not", async () => {
  const scraped = async (headers: object) => {
    const body = { url: `${site.url}/away`, js_render: { enabled: false }, request: { headers } };
    const reply = await crawler.request("POST", "/web/scrape", { body });
    return reply.json<{ data?: { metadata: { status_code: number; final_url: string } } }>().data?.metadata;
  };
  expect(
    await scraped({ "User-Agent": programAgent, "signature-agent": 'sig1="https://else.example"' }),
  ).toMatchObject({
    status_code: 200,
    final_url: `${other.url}/c`,
  });
  site.hits.length = 0;
  expect(await scraped({})).toMatchObject({ status_code: 403 });
  expect(Object.keys(site.hits[0]?.headers ?? {}).filter(name => name.startsWith("signature"))).toEqual([]);
});

test("the directory is signed for the public address, and may be kept for an hour by anybody", async () => {
  const reply = await crawler.request("GET", directory);
  const type = "application/http-message-signatures-directory+json";
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, type]);
  expect(reply.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  expect(reply.text).not.toContain('"d"');
  const headers = Object.fromEntries(
    ["signature", "signature-input", "content-digest"].map(name => [name, reply.headers.get(name) ?? ""]),
  );
  const { keys } = reply.json<{ keys: { kid: string; x: string }[] }>();
  const { binding0 } = verifySignatures({ authority: "magpie.example.com", headers }, keys);
  expect(binding0?.tag).toBe("http-message-signatures-directory");
});

test("without an identity there is no directory", async () => {
  const magpie = await startMagpie();
  try {
    const reply = await magpie.request("GET", directory, { key: null });
    expect([reply.status, reply.json().code]).toEqual([404, "not_found"]);
  } finally {
    await magpie.stop();
  }
});
