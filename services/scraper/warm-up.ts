import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEgress } from "../../mixins/egress/egress.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import type { PageTools } from "./context.ts";
import { warmHtml, warmUrl } from "./extract/warm-page.ts";
import type { FetchedPage } from "./fetch/fetch-page.ts";
import type { PageOrder } from "./page-request.ts";
import { readPage } from "./read-page.ts";
import { scrapePage } from "./scrape-page.ts";

const timeoutMs = 30_000;
const repetitions = 3;
const contentType = "text/html; charset=utf-8";

const page: FetchedPage = {
  ...{ status: 200, finalUrl: warmUrl, redirects: [], setCookies: [], headers: {}, contentType },
  body: Buffer.from(
    "<!doctype html><title>Warm</title><p id=p>Text</p><script>p.textContent += '.'</script>",
  ),
};

const request: ScrapeRequest = {
  ...{ url: warmUrl, mode: "sync", timeout: timeoutMs, breakdown: false, max_age: 0 },
  output: { formats: ["markdown"], screenshot: "viewport" },
  request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
  js_render: { enabled: true },
  proxy: { location: "US" },
};

/**
 * Renders a built-in page like any other, so that the browser and this process have loaded and compiled what they need
 * before the first request, and a context is open for the first key. Sends no request to any site.
 */
export async function warmBrowser(tools: PageTools, closing: AbortSignal): Promise<void> {
  await readPage(request, page, orderUntil(closing), tools);
  await tools.browser.prepareRoom();
}

/**
 * Starts a thread, and scrapes a built-in page a few times like any other, so that the first request finds that way
 * loaded and compiled: from a server of this process, by a guard that knows its address only.
 */
export async function warmReading(tools: PageTools, closing: AbortSignal): Promise<void> {
  await tools.extraction.prepare();
  const server = createServer((_, response) => {
    response.setHeader("content-type", contentType).end(warmHtml);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const egress = createEgress({ allow: [address] });
  const plain = { ...request, url: `http://${address}/`, js_render: { enabled: false } };
  try {
    for (let n = 0; n < repetitions && !closing.aborted; n++)
      await scrapePage(plain, orderUntil(closing), { ...tools, egress });
  } finally {
    await egress.close();
    server.close();
    server.closeAllConnections();
  }
}

function orderUntil(closing: AbortSignal): PageOrder {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
  return { keyId: "", owner: "", group: "", deadline: Date.now() + timeoutMs, signal };
}
