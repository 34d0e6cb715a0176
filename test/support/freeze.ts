import { readFileSync } from "node:fs";
import { until } from "./until.ts";

/** Stops a process (SIGSTOP) and resolves when it stands still: until then it may answer. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  // The state follows the name, which is in brackets (proc(5)).
  await until("it stands still", () => /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
}
