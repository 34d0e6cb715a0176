import type { Service, ServiceSchema } from "moleculer";
import { blobsMixin, type WithBlobs } from "../../mixins/blobs/blobs.mixin.ts";
import { browserMixin, type WithBrowser } from "../../mixins/browser/browser.mixin.ts";
import { browserHint } from "../../mixins/browser/find-browser.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { healthMixin } from "../../mixins/health/health.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, handle } from "../contracts/action.ts";
import { fail } from "../contracts/errors.ts";
import type { Finding } from "../contracts/health.contract.ts";
import { crawlPage, scrape, screenshot } from "../contracts/scraper.contract.ts";
import { type AdFilterLists, loadAdFilterLists } from "./ads/ad-filter-lists.ts";
import { crawlPage as crawlPageNow } from "./crawl-page.ts";
import { createLanguageModel } from "./llm/language-model.ts";
import { type KeptRecipe, recipeBook } from "./recipe-book.ts";
import { scrape as scrapeNow } from "./scrape.ts";
import type { ScrapeTools } from "./scrape-page.ts";
import { createExtractionPool, type ExtractionPool } from "./worker/extraction-pool.ts";

type Scraper = Service &
  WithEgress &
  WithBrowser &
  WithBlobs &
  WithStore<KeptRecipe> & {
    extraction: ExtractionPool;
    ads: AdFilterLists;
    tools: ScrapeTools;
    closing: AbortController;
  };

/** The room that reads web pages: plain fetch, browser pool, extraction, screenshots. */
export function scraperService(config: Config): ServiceSchema {
  return {
    name: "scraper",
    mixins: [
      storeMixin(config, { collection: "recipes" }),
      blobsMixin(config),
      egressMixin(config),
      browserMixin(config),
      healthMixin("scraper", (room: Scraper) => findings(room)),
    ],
    actions: actions(
      handle(scrape, "published", function (this: Scraper, { params, meta }) {
        if (meta.caller === undefined) throw fail("unauthorized", "A scrape needs an API key.");
        return scrapeNow(params, meta.caller, this.tools);
      }),
      handle(crawlPage, "public", function (this: Scraper, { params }) {
        return crawlPageNow(params, this.tools);
      }),
      handle(screenshot, "published", async function (this: Scraper, { params, meta }) {
        const blob = await this.blobs.open(params.key, meta.caller?.owner ?? "");
        if (blob === null)
          throw fail("not_found", "There is no screenshot with this key, or it has expired.");
        meta.$responseType = blob.contentType;
        return blob.body;
      }),
    ),
    created(this: Scraper) {
      this.closing = new AbortController();
      this.extraction = createExtractionPool();
    },
    async started(this: Scraper) {
      this.ads = loadAdFilterLists(this.closing.signal, error =>
        this.logger.error("ads.unavailable", { error: String(error) }),
      );
      this.tools = {
        egress: this.egress,
        browser: this.browser,
        extraction: this.extraction,
        ads: this.ads,
        blobs: this.blobs,
        proxies: config.proxies,
        recipes: recipeBook(this.store),
        ...(config.llm && { model: createLanguageModel(config.llm) }),
      };
    },
    async stopped(this: Scraper) {
      this.closing.abort();
      await this.extraction.close();
    },
  } as ServiceSchema;
}

function findings({ browser }: Scraper): Finding[] {
  if (browser.problem() === undefined) return [{ name: "browser", status: "ok" }];
  return [{ name: "browser", status: "missing", detail: browserHint }];
}

export default (): ServiceSchema => scraperService(configFromEnv());
