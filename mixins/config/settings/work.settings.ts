/** What services do: requests to others, tracking, delivering, reading. */
import {
  baseUrl,
  duration,
  durationOrOff,
  ed25519Keys,
  flag,
  hostName,
  integer,
  list,
  mailbox,
  matching,
  nameServer,
  proxies,
  proxyUrl,
  smtpUrl,
  text,
} from "../setting-types.ts";
import type { Settings } from "./setting.ts";

export const egress = {
  EGRESS_ALLOW: {
    type: list(text(), "CIDRs and host:port pairs, with commas between them"),
    default: "",
    doc: "CIDRs and `host:port` pairs that requests may reach although they are not public.",
  },
  EGRESS_DNS_SERVERS: {
    type: list(nameServer, "IP addresses with commas between them, each with or without a port"),
    unset: "those of the system",
    doc: "Name servers that resolve users' addresses, each `address`, `address:port` or `[IPv6]:port`. Search domains do not apply then; the hosts file does.",
  },
  BOT_IDENTITY: {
    type: ed25519Keys,
    unset: "no request is signed",
    doc: "Signs the requests that name Magpie ([Your identity](../operations/your-identity.md)). The first key signs; the others are published with it. It needs `PUBLIC_URL` with https. Never logged.",
  },
  PROXIES: {
    type: proxies,
    unset: "none",
    doc: "Proxy URLs by country code, as JSON.",
  },
} satisfies Settings;

export const tracking = {
  POLL_MIN_INTERVAL: {
    type: duration,
    default: "1m",
    doc: "Shortest polling interval of feeds and pages. A new source starts with it.",
  },
  WEBHOOK_BACKOFF: {
    type: list(duration, duration.expected),
    default: "5s,30s,2m,10m",
    doc: "How long the first, second, … episode of failure of an endpoint lasts (±20 %), and the delays of a failed event after its first retry.",
  },
  WEBSUB_HUB: {
    type: baseUrl("http", "hub.example.com"),
    unset: "none",
    doc: "A WebSub hub that [feeds of events](../guides/feeds-out.md) name and that hears when one has news. It needs `PUBLIC_URL`, and `EGRESS_ALLOW` where its address is not public.",
  },
  SMTP_URL: {
    type: smtpUrl,
    unset: "no mail",
    doc: "Mail server that delivers to endpoints such as `mailto:person@example.com`, with user and password. It needs `SMTP_FROM` and `PUBLIC_URL`. Never logged.",
  },
  SMTP_FROM: {
    type: mailbox,
    unset: "none",
    doc: "Sender of these mails, such as `Magpie <magpie@example.com>`. The server must be allowed to send for it (SPF, DKIM).",
  },
  WEBHOOK_PROXY: {
    type: proxyUrl,
    unset: "none",
    doc: "A proxy by which webhooks leave, so that receivers see one fixed address. The guard checks targets before; where the proxy itself is not public, `EGRESS_ALLOW` names it. Never logged.",
  },
  DESTINATION_FOLDER: {
    type: matching(/^\/.+$/, "an absolute path"),
    unset: "no files are written",
    doc: "Folder in which endpoints may [write files](../guides/destinations.md), each key in one of its own. On a cluster, one that all dispatchers share.",
  },
  WEBHOOK_ALLOW_HTTP: { type: flag, default: "false", doc: "Takes `http://` webhook URLs." },
} satisfies Settings;

export const scraping = {
  BROWSER_PATH: {
    type: text("the path of a program"),
    unset: "found on the machine",
    doc: "Chromium or chrome-headless-shell.",
  },
  BROWSER_PAGES: {
    type: integer(1, 256),
    default: "4",
    doc: "Pages of one API key that render at a time. There is one more place, for other keys.",
  },
  BROWSER_QUEUE: {
    type: integer(0, 100_000),
    default: "16",
    doc: "Scrapes that may wait for a page; further ones fail with `overloaded`.",
  },
  BROWSER_RECYCLE_PAGES: {
    type: integer(1, 1_000_000),
    default: "500",
    doc: "Pages after which a browser is replaced by a fresh one.",
  },
  BROWSER_MAX_MEMORY_MB: {
    type: integer(256, 1_000_000),
    default: "2048",
    doc: "Memory of all processes of a browser, in MB. Above it the heaviest page ends within a second, then the next, and the browser is replaced. A page that uses half of it ends in any case. The page's scrape fails with `upstream_error`.",
  },
  BROWSER_PAGE_CPU: {
    type: duration,
    default: "15s",
    doc: "Processor time, of all its threads, after which a page ends and its scrape fails with `upstream_error`.",
  },
  SCRAPER_IDLE: {
    type: durationOrOff,
    default: "10m",
    doc: "Time without a page after which the browser, the threads that read pages and the filter lists give their memory back; the next page starts them again, within a second or two. From `1m` on, once the service is ready it starts one thread and, where the machine or the container has 4 GB, the browser. `off`: they stay.",
  },
  CRAWL_CONCURRENCY: {
    type: integer(1, 256),
    default: "8",
    doc: "Pages of one crawl that are read at a time. A process reads twice as many, of all its crawls.",
  },
  CRAWL_HOST_CONCURRENCY: {
    type: integer(1, 256),
    default: "2",
    doc: "Requests at a time to one host, of all crawls.",
  },
  OWN_HOSTS: {
    type: list(hostName, hostName.expected),
    default: "",
    doc: "Hosts of your own that a crawl with `crawler.ignore_robots` may read against their robots.txt, as staging sites need; `*.example.com` means all names below it.",
  },
  OCR: {
    type: text("the name or path of a program"),
    unset: "pages that are pictures have no text",
    doc: "Recognises the text of PDF pages that are pictures: `tesseract` where it is installed (Debian: `tesseract-ocr`), or a program that is called in the same way. It must be there at the start.",
  },
  OCR_LANGUAGES: {
    type: list(
      matching(/^[A-Za-z][\w/-]*$/, "a language"),
      "languages as the program names them, with commas between them",
    ),
    default: "eng",
    doc: "Languages that are recognised, such as `eng,deu`. Each has a package of its own (`tesseract-ocr-deu`), and each takes time.",
  },
  SEARXNG_URL: {
    type: baseUrl("http"),
    unset: "no search",
    doc: "A SearXNG whose settings allow the format `json`. With it, `POST /v1/search` and `/v2/search` search the web ([Firecrawl's API](../guides/firecrawl.md)).",
  },
  LLM_BASE_URL: {
    type: {
      expected: "an http or https URL",
      parse: (value: string) => (/^https?:/.test(value) && URL.canParse(value) ? value : undefined),
    },
    unset: "deterministic extraction",
    doc: "A language model for structured extraction, summaries, and [goals](../guides/watching.md#a-goal-in-words): [an endpoint](../guides/scraping.md#which-model) of OpenAI's chat completions, Azure's or Anthropic's. In a cluster: on all nodes.",
  },
  LLM_MODEL: { type: text("the model's name"), unset: "none", doc: "The model; `LLM_BASE_URL` requires it." },
  LLM_API_KEY: { type: text(), unset: "none", doc: "API key of the endpoint." },
  LLM_MAX_TOKENS: {
    type: integer(256, 1_000_000),
    default: "8192",
    doc: "The longest answer of the model, in tokens, with what it thinks before. A longer one is cut and does not count.",
  },
} satisfies Settings;
