/* Every page, in the order of the navigation. */
import { auditPage } from "./pages/audit.ts";
import { crawlPage } from "./pages/crawl.ts";
import { crawlsPage } from "./pages/crawls.ts";
import { deliveriesPage } from "./pages/deliveries.ts";
import { deliveryPage } from "./pages/delivery.ts";
import { eventsPage } from "./pages/events.ts";
import { feedsPage } from "./pages/feeds.ts";
import { joinsPage } from "./pages/joins.ts";
import { keysPage } from "./pages/keys.ts";
import { monitorPage } from "./pages/monitor.ts";
import { monitorsPage } from "./pages/monitors.ts";
import { overviewPage } from "./pages/overview.ts";
import { ownersPage } from "./pages/owners.ts";
import { passwordPage } from "./pages/password.ts";
import { playgroundPage } from "./pages/playground.ts";
import { scrapePage } from "./pages/scrape.ts";
import { scrapesPage } from "./pages/scrapes.ts";
import { searchPage } from "./pages/search.ts";
import { siteSessionsPage } from "./pages/site-sessions.ts";
import { sourcePage } from "./pages/source.ts";
import { sourcesPage } from "./pages/sources.ts";
import { usagePage } from "./pages/usage.ts";
import { webhookPage, webhooksPage } from "./pages/webhook.ts";
import type { Page } from "./shell/page.ts";

export const pages: Page[] = [
  overviewPage,
  keysPage,
  ownersPage,
  auditPage,
  usagePage,
  passwordPage,
  sourcesPage,
  sourcePage,
  monitorsPage,
  monitorPage,
  searchPage,
  eventsPage,
  joinsPage,
  webhooksPage,
  webhookPage,
  deliveriesPage,
  deliveryPage,
  feedsPage,
  playgroundPage,
  scrapesPage,
  scrapePage,
  crawlsPage,
  crawlPage,
  siteSessionsPage,
];
