import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { Command, Option } from "commander";
import type { ParseRequest } from "../../sdk/typescript/src/index.ts";
import { documentFormats } from "../../services/contracts/parse.contract.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { examples, type Given, number, outputOf } from "./options.ts";
import { put, textOf } from "./scrape.ts";
import { note, printJson, whileWaiting } from "./screen.ts";
import { clientOf } from "./server.ts";

/** `magpie parse <file>`. */
export const parse = new Command("parse")
  .description("Read a document of this machine and print it.")
  .argument("<file>", "a PDF, a document of Office or OpenDocument, a book, an e-mail, a table, a page …")
  .addOption(
    new Option("-f, --format <format>", "what to print").choices(documentFormats).default("markdown"),
  )
  .option("--schema <file>", "a JSON Schema; prints the JSON that fits it (--format json)")
  .option("--prompt <text>", "what to extract, in words (--format json)")
  .option("--timeout <ms>", "milliseconds that the reading may take", number, 60_000)
  .option("-o, --out <file>", "write to a file")
  .addHelpText(
    "after",
    examples(
      ["magpie parse report.docx > report.md", "the document as Markdown"],
      ["magpie parse invoice.pdf --format json --prompt 'number, date, total'", "facts of it"],
    ),
  )
  .action(async (path: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & {
      format: (typeof documentFormats)[number];
      schema?: string;
      prompt?: string;
      out?: string;
      timeout: number;
    };
    const magpie = clientOf(options);
    const name = basename(path);
    const output = (await outputOf(options)) as ParseRequest["output"];
    const request = { name, timeout: options.timeout, ...(output && { output }) };
    const answer = await whileWaiting(`Reading ${name}`, magpie.parse(await bytesIn(path), request));
    if (options.json) printJson(answer);
    else await put(textOf((answer.data as Record<string, unknown>)[options.format]), options.out);
    if (answer.data.metadata.warning !== undefined) note(`Note: ${answer.data.metadata.warning}`);
  });

async function bytesIn(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new CommandError(`${path} cannot be read.`, exitCodes.usage, { cause });
  }
}
