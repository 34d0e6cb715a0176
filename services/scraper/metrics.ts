import type { ServiceBroker } from "moleculer";
import { underWayGauges } from "../../mixins/runtime/activity.middleware.ts";
import { activityOf } from "../../mixins/runtime/activity.ts";
import { counterOf } from "../../mixins/runtime/counters.ts";
import type { Gauge } from "../../mixins/runtime/metrics.ts";
import { codeOf } from "../contracts/errors.ts";
import type { PageTools } from "./context.ts";
import type { ProxyOutcome } from "./fetch/proxy-pool.ts";
import { handedOver, type Outcome, type Runs } from "./jobs/runs.ts";

const outcomes = ["completed", "timeout", "target", "refused", "overloaded", "stopped", "failed"] as const;

/** What the codes of errors count as; any other is `failed`. */
const outcomeOfCode: { [code: string]: (typeof outcomes)[number] } = {
  scrape_timeout: "timeout",
  target_unreachable: "target",
  target_blocked: "target",
  tls_error: "target",
  upstream_error: "target",
  content_refused: "refused",
  invalid_url: "refused",
  url_not_allowed: "refused",
  overloaded: "overloaded",
  // A cancelled scrape stops with it.
  conflict: "stopped",
};

/** Counts scrapes that end. */
export function countScrapes(broker: ServiceBroker): (outcome: Outcome) => void {
  const activity = activityOf(broker);
  const scrapes = counterOf(broker, {
    name: "magpie_scrapes_total",
    description: "Scrapes that ended, without the pages of crawls; target is an error of the site",
    by: [
      ["outcome", outcomes],
      ["engine", ["http", "browser", "none"]],
    ],
  });
  return outcome => {
    activity.add("scrapes");
    if (outcome.ok) scrapes.add("completed", outcome.data.metadata.engine);
    else scrapes.add(outcomeOf(outcome.error), "none");
  };
}

function outcomeOf(error: unknown): (typeof outcomes)[number] {
  return error === handedOver ? "stopped" : (outcomeOfCode[codeOf(error) ?? ""] ?? "failed");
}

/** Counts requests that went through a proxy. */
export function countProxied(broker: ServiceBroker): (outcome: ProxyOutcome) => void {
  const requests = counterOf(broker, {
    name: "magpie_proxied_pages_total",
    description: "Pages that were asked for through a proxy of PROXIES; failed: the proxy was to blame",
    by: [["outcome", ["served", "failed"]]],
  });
  return outcome => requests.add(outcome);
}

export function scraperGauges(
  runs: Runs,
  { browser, proxies }: Pick<PageTools, "browser" | "proxies">,
): Gauge[] {
  return [
    {
      name: underWayGauges.scrapes_running,
      description: "Scrapes that this node is working on",
      read: () => [{ value: runs.all().length }],
    },
    {
      name: "magpie_browser_pages",
      description: "Pages that this node's browsers render, and those that wait for a place",
      read: () => Object.entries(browser.load()).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: "magpie_proxies",
      description: "Proxies of PROXIES that work, and those that rest after a failure",
      read: () =>
        proxies.states().flatMap(({ country, working, resting }) => [
          { labels: { country, state: "working" }, value: working },
          { labels: { country, state: "resting" }, value: resting },
        ]),
    },
  ];
}
