import { Command, Option } from "commander";
import type { SiteBranch, WatchedPage } from "../../sdk/typescript/src/index.ts";
import { pageStates } from "../../services/contracts/site-pages.contract.ts";
import { first } from "./first.ts";
import { examples, type Given, number } from "./options.ts";
import { note, oneLine, printJson, printLine, printTable } from "./screen.ts";
import { clientOf } from "./server.ts";

const siteHelp = "of the site, as `magpie sources --kind site` shows it";

interface PagesGiven extends Given {
  prefix?: string;
  state?: WatchedPage["state"];
  since?: string;
  limit: number;
}

const pages = new Command("pages")
  .description("List the pages of a site, with what is known of them.")
  .argument("<id>", siteHelp)
  .option("--prefix <address>", "only what is below it: a URL, or a path such as /docs/")
  .addOption(new Option("--state <state>", "only pages in this state").choices(pageStates))
  .option("--since <time>", "only what has changed since then: 2026-03-14, or a time with its zone")
  .option("--limit <count>", "pages", number, 100)
  .addHelpText(
    "after",
    examples(
      ["magpie site pages 9b2f… --since 2026-03-14", "what has changed, where and when"],
      ["magpie site pages 9b2f… --state removed", "what is gone"],
    ),
  )
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as PagesGiven;
    const { prefix, state, since, limit } = options;
    const filter = {
      ...(prefix && { prefix }),
      ...(state && { state }),
      ...(since && { changed_since: since }),
    };
    const found = await first(limit, clientOf(options).source(id).pages(filter));
    if (options.json) return found.forEach(printJson);
    if (found.length === 0) return note("There are none.");
    printTable(found, {
      state: page => page.state,
      changed: page => page.changed_at,
      visited: page => page.visited_at,
      title: page => page.title,
      url: page => (page.moved_to === null ? page.url : `${page.url} -> ${page.moved_to}`),
    });
  });

interface TreeGiven extends Given {
  prefix?: string;
  since?: string;
  levels: number;
}

const tree = new Command("tree")
  .description("Show a site as a tree: how many pages each part has, and when one of them changed last.")
  .argument("<id>", siteHelp)
  .option("--prefix <address>", "begin below it: a URL, or a path such as /docs/")
  .option("--since <time>", "only what has changed since then")
  .option("--levels <count>", "how deep", number, 2)
  .addHelpText(
    "after",
    examples(
      ["magpie site tree 9b2f…", "the host and its main parts"],
      [
        "magpie site tree 9b2f… --prefix /docs/ --since 2026-03-14",
        "where below /docs/ something has changed",
      ],
    ),
  )
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as TreeGiven;
    const { prefix, since, levels, json } = options;
    const site = clientOf(options).source(id);
    const ask = (below: string | undefined) =>
      site.tree({ ...(below && { prefix: below }), ...(since && { changed_since: since }) });
    let printed = 0;
    for await (const { branch, depth } of branches(ask, prefix, levels)) {
      printed += 1;
      if (json) printJson({ ...branch, depth });
      else printLine(lineOf(branch, depth));
    }
    if (printed === 0) note("There are none.");
  });

interface Placed {
  branch: SiteBranch;
  depth: number;
}

/** Parts of a site in the order of a tree, each before what is below it. */
async function* branches(
  ask: (prefix: string | undefined) => Promise<SiteBranch[]>,
  prefix: string | undefined,
  levels: number,
  depth = 0,
): AsyncGenerator<Placed, void, void> {
  if (depth >= levels) return;
  for (const branch of await ask(prefix)) {
    yield { branch, depth };
    if (hasMore(branch)) yield* branches(ask, branch.prefix, levels, depth + 1);
  }
}

function hasMore({ pages: watched, gone, page }: SiteBranch): boolean {
  return watched + gone > (page ? 1 : 0);
}

function lineOf(branch: SiteBranch, depth: number): string {
  const { name, pages: watched, gone, changed_at, page } = branch;
  const counts = hasMore(branch)
    ? `${watched} pages${gone > 0 ? `, ${gone} gone` : ""}`
    : (page?.state ?? "");
  const changed = changed_at === null ? "" : `changed ${changed_at}`;
  return ["  ".repeat(depth) + oneLine(name), counts, changed].filter(Boolean).join("  ");
}

/** `magpie site …`. */
export const site = new Command("site")
  .description("Look at the pages of a tracked site.")
  .addCommand(pages)
  .addCommand(tree);
