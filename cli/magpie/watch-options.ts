import { type Command, Option } from "commander";
import type { components } from "../../sdk/typescript/src/index.ts";
import { collect, fieldsIn, number } from "./options.ts";

/* The options that say how a source is watched. The service checks them and names what is wrong. */

export interface WatchGiven {
  tag?: string[];
  interval?: string;
  select?: string[];
  remove?: string[];
  ignore?: string[];
  goal?: string;
  options?: string;
}

/** Those of sites and searches. */
export interface SiteGiven {
  limit?: number;
  include?: string[];
  exclude?: string[];
  depth?: number;
  subdomains?: boolean;
  domain?: string[];
  window?: string;
}

type Watch = Pick<components["schemas"]["TrackRequest"], "options">;

export function watchOptions(command: Command): Command {
  return command
    .option("--tag <word>", "a word to sort it by; may be given again", collect)
    .option("--interval <time>", "how often to check: 15m, 2h, 1d")
    .option("--select <selector>", "only this part of the page, by CSS or XPath; may be given again", collect)
    .option("--remove <selector>", "without this part of the page; may be given again", collect)
    .option("--ignore <text>", "not lines with this text, or that match /this/; may be given again", collect)
    .option("--goal <words>", "what you want to know; a language model judges each change by it")
    .option("--options <file or JSON>", "more options, as `options` of POST /track/{source}");
}

export function siteOptions(command: Command): Command {
  return command
    .option("--limit <count>", "of a site: pages at most, by default 1000", number)
    .option("--include <pattern>", "of a site: only addresses like this; may be given again", collect)
    .option("--exclude <pattern>", "of a site: no addresses like this; may be given again", collect)
    .option("--depth <count>", "of a site: links from the entry page, by default 10", number)
    .option("--subdomains", "of a site: hosts below its host, too")
    .option(
      "--domain <domain>",
      "of a search: only results of this domain and what is below it; may be given again",
      collect,
    )
    .addOption(
      new Option("--window <time>", "of a search: only what has appeared in this time").choices([
        "day",
        "week",
        "month",
        "year",
      ]),
    );
}

/** Makes the field of a request. What is given by name takes the place of what is in the file. */
export async function watchOf(given: WatchGiven & SiteGiven): Promise<Watch> {
  const more = await fieldsIn("--options", given.options);
  const { interval, select, remove, ignore, goal } = given;
  const { limit, include, exclude, depth, subdomains, domain, window } = given;
  const named = {
    ...{ tags: given.tag, interval, select, remove, ignore, goal },
    ...{ limit, include, exclude, max_depth: depth, include_subdomains: subdomains },
    ...{ domains: domain, window },
  };
  const all = {
    ...more,
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  };
  return Object.keys(all).length === 0 ? {} : { options: all };
}
