import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { trainAll } from "./cross-validate.ts";
import { findPages } from "./data-sets.ts";
import { scoreTable } from "./measure.ts";
import type { TrainOptions } from "./train-trees.ts";

const usage = `Trains the model that finds a page's main content.

  npm exec -- node reader/train/train.ts <folder> [options]

The folder, or folders at most two levels below it, hold data sets as their authors publish them: WCXB's dev split
(html/, ground-truth/), the test pages of mozilla/readability and of kepano/defuddle, or own pages like those of WCXB.

  --folds <n>    prints first how models read that are trained without a n-th of the sites (5); 0: none
  --out <file>   where the model goes (nowhere: it is only measured)
  --pages <file> where the score of each page goes, a JSON object a line
  --threads <n>  folds at a time (the processors)
  --trees <n>, --leaves <n>, --rate <x>, --l2 <x>, --min-child <x>, --seed <n>
  --help         this text

The same pages and options make the same file.
`;

interface Options {
  folder: string;
  folds: number;
  threads: number;
  out: string | undefined;
  pages: string | undefined;
  training: Partial<TrainOptions>;
}

/** Null for `--help`. Throws for an invalid command line; the message says what to change. */
function readOptions(args: string[]): Options | null {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...{
        folds: text,
        out: text,
        threads: text,
        pages: text,
        trees: text,
        leaves: text,
        rate: text,
        l2: text,
        seed: text,
      },
      ...{ "min-child": text, help: { type: "boolean", short: "h" } },
    },
  });
  if (values.help) return null;
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new Error("Give one folder that holds the data sets.");
  const number = (name: keyof typeof values) => {
    const value = values[name];
    if (value === undefined) return undefined;
    if (!/^\d{1,9}(\.\d{1,9})?$/.test(String(value))) throw new Error(`--${name} takes a number.`);
    return Number(value);
  };
  const training = {
    ...{ trees: number("trees"), leaves: number("leaves"), learningRate: number("rate"), l2: number("l2") },
    ...{ minChildWeight: number("min-child"), seed: number("seed") },
  };
  return {
    folder,
    folds: number("folds") ?? 5,
    threads: number("threads") ?? availableParallelism(),
    out: values.out,
    pages: values.pages,
    training: Object.fromEntries(Object.entries(training).filter(([, value]) => value !== undefined)),
  };
}

/** `node reader/train/train.ts`: cross-validates, then trains on all pages and writes the model. */
async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) {
    process.stdout.write(usage);
    return;
  }
  const found = findPages(options.folder);
  if (found.length === 0) throw new Error(`There is no data set in ${options.folder} or below it.`);
  process.stderr.write(`${found.length} pages\n`);
  const { folds, training, out, pages } = options;
  const task = { files: found, folds, all: out !== undefined, options: training };
  const { scores, model } = await trainAll(task, options.threads, ({ fold, scores }) =>
    process.stderr.write(
      fold === folds ? "all pages: trained\n" : `fold ${fold + 1}: ${scores.length} pages\n`,
    ),
  );
  process.stdout.write(scoreTable(scores));
  if (pages !== undefined) await writeFile(pages, scores.map(score => `${JSON.stringify(score)}\n`).join(""));
  if (out !== undefined && model !== undefined) await writeFile(out, model);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
