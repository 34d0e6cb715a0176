import { Command, Option } from "commander";
import { addressOf } from "./address.ts";
import { examples, type Given, number } from "./options.ts";
import { note, printJson, printText, whileWaiting } from "./screen.ts";
import { clientOf } from "./server.ts";

/** `magpie map <url>`. */
export const map = new Command("map")
  .description("List the URLs of a site without reading its pages.")
  .argument("<url>", "the site")
  .option("--search <text>", "list URLs that match this text first")
  .option("--limit <n>", "URLs at most", number, 5000)
  .option("--subdomains", "include subdomains")
  .addOption(
    new Option("--sitemaps <use>", "what to do with the site's sitemaps")
      .choices(["include", "only", "skip"])
      .default("include"),
  )
  .addHelpText(
    "after",
    examples(
      ["magpie map https://example.com/", "its URLs, one a line"],
      ["magpie map https://example.com/docs/ --search webhooks --limit 10", "the ten best matches"],
    ),
  )
  .action(async (given: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & {
      search?: string;
      limit: number;
      subdomains?: boolean;
      sitemaps: "include" | "only" | "skip";
    };
    const url = addressOf(given);
    const { search, limit, sitemaps, subdomains = false } = options;
    const request = {
      url,
      limit,
      sitemaps,
      include_subdomains: subdomains,
      ...(search !== undefined && { search }),
    };
    const asked = clientOf(options).map(request);
    const { data, total, complete } = await whileWaiting(`Mapping ${url}`, asked);
    for (const link of data)
      if (options.json) printJson(link);
      else printText(link.url);
    if (total > data.length) note(`${data.length} of ${total} URLs; --limit takes more.`);
    if (!complete) note("There may be more: not everything could be read in the time.");
  });
