import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../support/folders.ts";
import { startHelper } from "./child.ts";
import type { Bench, Outcome } from "./compare.ts";
import { type Cost, growthLines } from "./growth.ts";
import type { FrontierQuestion } from "./million.frontier.process.ts";
import type { LogQuestion } from "./million.log.process.ts";
import { sourceCosts } from "./million.sources.ts";
import { streamCosts } from "./million.streams.ts";

/** What is measured at these sizes, and at a tenth of each. */
const full = { sources: 1_000_000, references: 50_000_000, pages: 1_000_000, streams: 19_000 };
export type Part = keyof typeof full;

type Measure = (folder: string, size: number) => Promise<Cost[]>;

const parts: Record<Part, Measure> = {
  sources: sourceCosts,
  references: (folder, references) => ask<LogQuestion>("million.log.process.ts", { folder, references }),
  pages: (folder, pages) => ask<FrontierQuestion>("million.frontier.process.ts", { folder, pages }),
  streams: (_, streams) => streamCosts(streams),
};

/** How costs grow up to the sizes of `full`, or those that are given, such as `sources=10000,pages=5000`. */
export const million: Bench = async given => {
  const outcomes: Outcome[] = [];
  for (const [part, size] of sizesOf(given)) {
    const tenth = await showProgress(`${part}: ${size / 10}`, () => inFolder(part, size / 10));
    const whole = await showProgress(`${part}: ${size}`, () => inFolder(part, size));
    outcomes.push(...growthLines(`${size} ${part}`, { tenth, whole }));
  }
  return outcomes;
};

/** The sizes that are given; all of them in full when none is. */
export function sizesOf(given = ""): [Part, number][] {
  if (given === "") return Object.entries(full) as [Part, number][];
  return given.split(",").map(each => {
    const [part = "", size = ""] = each.split("=");
    if (!Object.hasOwn(parts, part) || !/^[1-9]\d*0$/.test(size))
      throw new Error(
        `not a size: ${each}; wanted is a part and a multiple of ten, of ${Object.keys(full).join(", ")}`,
      );
    return [part as Part, Number(size)];
  });
}

async function inFolder(part: Part, size: number): Promise<Cost[]> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-million-"));
  try {
    return await parts[part](folder, size);
  } finally {
    await removeFolder(folder);
  }
}

async function ask<Question>(file: string, question: Question): Promise<Cost[]> {
  const helper = await startHelper<Question, Cost[], string>(file);
  try {
    return await helper.ask(question);
  } finally {
    await helper.stop();
  }
}
