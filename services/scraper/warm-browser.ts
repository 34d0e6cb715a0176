import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import type { PageTools } from "./context.ts";
import type { FetchedPage } from "./fetch/fetch-page.ts";
import { readPage } from "./read-page.ts";

const url = "https://warm.example/";
const timeoutMs = 30_000;

const page: FetchedPage = {
  ...{ status: 200, finalUrl: url, redirects: [], setCookies: [], headers: {} },
  contentType: "text/html; charset=utf-8",
  body: Buffer.from(
    "<!doctype html><title>Warm</title><p id=p>Text</p><script>p.textContent += '.'</script>",
  ),
};

const request: ScrapeRequest = {
  ...{ url, mode: "sync", timeout: timeoutMs, breakdown: false, max_age: 0 },
  output: { formats: ["markdown"], screenshot: "viewport" },
  request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
  js_render: { enabled: true },
  proxy: { location: "US" },
};

/**
 * Renders a built-in page like any other, so that the browser and this process have loaded and compiled what they need
 * before the first request. Sends no request to any site.
 */
export async function warmBrowser(tools: PageTools, closing: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
  const order = { keyId: "", owner: "", group: "", deadline: Date.now() + timeoutMs, signal };
  await readPage(request, page, order, tools);
}
