/**
 * A process that evaluates expressions of users in a thread. This thread stays free, so that the process ends with the one
 * that has started it, whatever an expression does.
 */
import process from "node:process";
import { Worker } from "node:worker_threads";

/** Megabytes of the thread. */
const memory = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

const worker = new Worker(new URL("./evaluate.worker.ts", import.meta.url), { resourceLimits: memory });
worker.on("message", answer => process.send?.(answer));
worker.on("error", () => end());
worker.on("exit", () => end());
process.on("message", job => worker.postMessage(job));
process.on("disconnect", end);

function end(): void {
  process.kill(process.pid, "SIGKILL");
}
