import { writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { formats } from "../../services/contracts/page-options.ts";
import { addressOf } from "./address.ts";
import { examples, type Given, number, pageOptions, requestOf } from "./options.ts";
import { note, printJson, printText, whileWaiting } from "./screen.ts";
import { clientOf } from "./server.ts";

/** `magpie scrape <url>`. */
export const scrape = pageOptions(new Command("scrape"))
  .description("Read one page and print it.")
  .argument("<url>", "the page")
  .addOption(new Option("-f, --format <format>", "what to print").choices(formats).default("markdown"))
  .option("--schema <file>", "a JSON Schema; prints the JSON that fits it (--format json)")
  .option("--prompt <text>", "what to extract, in words (--format json)")
  .option("--timeout <ms>", "milliseconds that the page may take", number, 60_000)
  .option("-o, --out <file>", "write to a file; a screenshot needs one")
  .addHelpText(
    "after",
    examples(
      ["magpie scrape https://example.com/", "the page as Markdown"],
      ['magpie scrape example.com --actions \'[{"type":"click","selector":"#more"}]\'', "after a click"],
      ["magpie scrape https://example.com/ --format screenshot --out page.png", "its picture"],
      ["magpie scrape https://example.com/ --json | jq .data.metadata", "everything that is known of it"],
    ),
  )
  .action(async (given: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & {
      format: (typeof formats)[number];
      out?: string;
      timeout: number;
    };
    const magpie = clientOf(options);
    const url = addressOf(given);
    const request = { url, timeout: options.timeout, ...(await requestOf(options)) };
    const answer = await whileWaiting(`Reading ${url}`, magpie.scrape(request));
    if (options.format === "screenshot" && options.out !== undefined) {
      const picture = await magpie.screenshot(String(answer.data.screenshot));
      await writeFile(options.out, picture.stream());
      note(`The screenshot is in ${options.out}.`);
    } else if (options.json) printJson(answer);
    else await put(textOf((answer.data as Record<string, unknown>)[options.format]), options.out);
    if (answer.data.metadata.warning !== undefined) note(`Note: ${answer.data.metadata.warning}`);
  });

/** A format as it is printed. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join("\n") : JSON.stringify(value, null, 2);
}

export async function put(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) printText(text);
  else await writeFile(out, text);
}
