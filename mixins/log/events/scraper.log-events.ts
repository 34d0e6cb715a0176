import { type LogEventRows, nothing, retried } from "./log-event.ts";

/** Events of the service `scraper` and its browser. */
export const scraperLogEvents = {
  "scrape_run.failed": {
    level: "error",
    meaning: "A run of a queued scrape ended with an error of Magpie. The queue runs it again.",
    action: retried,
  },
  "scrape_record.failed": {
    level: "error",
    meaning: "The outcome of a scrape could not be written to its record. Another run writes it.",
    action: "Check the disk of `DATA_DIR`; in a cluster, the server at `MONGO_URL`.",
  },
  "scrape_notice.failed": {
    level: "error",
    meaning: "The notice of a scrape's end could not be handed to the webhook service.",
    action: retried,
  },
  "scrape_repair.failed": {
    level: "error",
    meaning: "A scrape that its process did not finish could not be queued again or ended.",
    action: retried,
  },
  "scrape_maintenance.failed": {
    level: "error",
    meaning: "The search for unfinished scrapes, or the removal of old ones, failed.",
    action: retried,
  },
  "scraper_lease.failed": {
    level: "error",
    meaning: "This node lost the lease that shows that it lives. Others may run its scrapes a second time.",
    action: "In a cluster check the server at `REDIS_URL`; then restart the node.",
  },
  "ad_filters.failed": {
    level: "error",
    meaning: "The filter lists could not be opened. Pages are read without them.",
    action: "Install the packages again; report the line if that does not help.",
  },
  "recognition.failed": {
    level: "warn",
    meaning:
      "The program that `OCR` names could not recognise the text of a page; the answer says which pages are missing.",
    action: "Run the program by hand; look at the machine's memory.",
  },
  "page_read.failed": {
    level: "debug",
    meaning: "A page could not be read in its thread; the cause may be in Magpie.",
    action: "Report the line with the address of the page.",
  },
  "reader_warmup.failed": {
    level: "debug",
    meaning: "The first thread that reads pages could not start. The first page starts one.",
    action: nothing,
  },
  "browser_warmup.failed": {
    level: "debug",
    meaning: "The browser could not show its first empty page. The first page starts it again.",
    action: nothing,
  },
  "judgement.failed": {
    level: "warn",
    meaning:
      "The language model did not judge a change by a goal: `late`, `unavailable`, or `malformed`, an answer in a wrong form. The event goes out without a verdict. At most 20 lines a minute.",
    action: "Check the server at `LLM_BASE_URL`; another `LLM_MODEL` may be faster or keep to the form.",
  },
  "model.failed": {
    level: "warn",
    meaning:
      "The language model gave no answer that could be used for JSON or a summary, which rules made instead; `reason` is that of `magpie_model_answers_total`. At most 20 lines a minute.",
    action:
      "`key`, `address`, `unreachable`: check `LLM_API_KEY`, `LLM_MODEL` and `LLM_BASE_URL`. `cut`: set `LLM_MAX_TOKENS` higher. `malformed`, `unfit`: another model may keep to the form.",
  },
  "browser_unpacking.progressed": {
    level: "info",
    meaning: "The bundled browser is being unpacked, once.",
    action: nothing,
  },
  "browser_start.failed": {
    level: "warn",
    meaning: "There is no browser that starts. Pages that need one fail; all others are read.",
    action: "Install one, or set `BROWSER_PATH`; `/health/ready` has the line that installs one.",
  },
  "browser_sandbox.disabled": {
    level: "warn",
    meaning: "The browser runs without its sandbox, because the process runs as root.",
    action: "Run Magpie as another user.",
  },
  "browser.failed": {
    level: "error",
    meaning: "A browser crashed or did not obey, and is replaced. At most 20 lines a minute.",
    action:
      "Give the process more memory or set `BROWSER_PAGES` lower; look for a hostile page that a key reads in a loop.",
  },
  "browser_page.failed": {
    level: "debug",
    meaning: "A page in the browser did what it may not, or ended by itself.",
    action: nothing,
  },
} as const satisfies LogEventRows;
