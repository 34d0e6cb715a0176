import { appendFileSync } from "node:fs";

/** Says a line at the end of the test run that this is a part of; elsewhere it says nothing. */
export function noteForRun(line: string): void {
  const file = process.env.RUN_NOTES;
  if (file) appendFileSync(file, `${line}\n`);
}
