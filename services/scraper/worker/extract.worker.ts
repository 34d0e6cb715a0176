/** Runs in worker threads: everything whose time a page decides, so that a hostile page can be stopped and costs no other. */
import { condensePage, extractJson } from "../json/extract-in-page.ts";
import { answered } from "./answer.ts";
import { readFetched } from "./read-fetched.ts";
import { readRendered } from "./read-rendered.ts";

export const tasks = {
  readFetched: answered(readFetched),
  readRendered: answered(readRendered),
  extractJson: answered((args: Parameters<typeof extractJson>) => extractJson(...args)),
  condensePage: answered((args: Parameters<typeof condensePage>) => condensePage(...args)),
};

export type Tasks = typeof tasks;

export default async function run<Name extends keyof Tasks>(job: {
  task: Name;
  input: Parameters<Tasks[Name]>[0];
}) {
  const task = tasks[job.task] as (input: unknown) => Promise<unknown>;
  return await task(job.input);
}
