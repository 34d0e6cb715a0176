import { writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { request } from "undici";
import type { ScrapeData } from "../../services/contracts/page.contract.ts";
import { formats } from "../../services/contracts/page-options.ts";
import { examples, type Given, number, pageOptions, requestOf } from "./options.ts";
import { note, printJson, printText, whileWaiting } from "./screen.ts";
import { ask, refusal, type Server, serverOf, unreachable } from "./server.ts";

interface Scrape {
  scrape_id: string;
  data: ScrapeData & Record<string, unknown>;
}

/** Beyond the time that the page may take. */
const spareMs = 15_000;

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
      ["magpie scrape https://example.com/ --format screenshot --out page.png", "its picture"],
      ["magpie scrape https://example.com/ --json | jq .data.metadata", "everything that is known of it"],
    ),
  )
  .action(async (url: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { format: string; out?: string; timeout: number };
    const server = serverOf(options);
    const body = { url, timeout: options.timeout, ...(await requestOf(options)) };
    const asked = ask<Scrape>(server, "POST", "/web/scrape", body, options.timeout + spareMs);
    const answer = await whileWaiting(`Reading ${url}`, asked);
    if (options.format === "screenshot" && options.out !== undefined) {
      await writeFile(options.out, await screenshot(server, String(answer.data.screenshot)));
      note(`The screenshot is in ${options.out}.`);
    } else if (options.json) printJson(answer);
    else await put(textOf(answer.data[options.format]), options.out);
    if (answer.data.metadata.warning !== undefined) note(`Note: ${answer.data.metadata.warning}`);
  });

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join("\n") : JSON.stringify(value, null, 2);
}

async function put(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) printText(text);
  else await writeFile(out, text);
}

async function screenshot({ url, key }: Server, name: string): Promise<Buffer> {
  const { statusCode, body } = await request(`${url}/web/screenshot/${encodeURIComponent(name)}`, {
    headers: { "x-api-key": key },
    signal: AbortSignal.timeout(spareMs),
  }).catch(cause => {
    throw unreachable(url, cause);
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode >= 300) throw refusal(statusCode, bytes.toString());
  return bytes;
}
