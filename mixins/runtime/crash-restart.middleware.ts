import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Middleware, ServiceBroker } from "moleculer";
import { settledWithin } from "../async/timeout.ts";
import type { Config } from "../config/config.ts";
import { logEvent } from "../log/log-events.ts";
import { blameForCrash } from "./crash-suspects.ts";

type Place = Pick<Config, "dataDir" | "cluster">;

/** The time of calls in flight, in a process whose state is not known; then that of stopping, which hands back the rest. */
const drainMs = 10_000;
const stopMs = 15_000;
const blameMs = 2000;
const maxCrashes = 5;
const crashWindowMs = 10 * 60_000;
const firstPauseMs = 1000;

/**
 * Handles errors that nothing else handles, after which the state of the process is not known: logs the error, stops in
 * order to hand back accepted work, and starts the program again. A node of a cluster ends with code 1 instead: its
 * supervisor starts the next one.
 */
export function restartAfterCrash(place: Place): Middleware {
  let hasCrashed = false;
  return {
    name: "LastResort",
    created(broker: ServiceBroker) {
      const onError = (error: unknown) => {
        logEvent(broker.logger, "process.failed", { error });
        const blamed = blameForCrash(!hasCrashed);
        if (!hasCrashed) void stopAndRestart(broker, place, blamed);
        hasCrashed = true;
      };
      process.on("uncaughtException", onError);
      process.on("unhandledRejection", onError);
      surviveClosedOutput();
    },
  };
}

/**
 * Lines are lost when nothing reads them any more, as when a log's collector ended, and the work continues. As an error
 * that nothing handles, a line that could not be written would be logged, which fails again, without end.
 */
function surviveClosedOutput(): void {
  for (const output of [process.stdout, process.stderr])
    if (output.listenerCount("error", dropLine) === 0) output.on("error", dropLine);
}

function dropLine(): void {
  // The line is lost, and there is no place to say so.
}

async function stopAndRestart(broker: ServiceBroker, place: Place, blamed: Promise<void>): Promise<void> {
  await settledWithin(blameMs, [blamed]);
  const { tracking } = broker.options;
  if (tracking) tracking.shutdownTimeout = drainMs;
  const stopped = broker.stop().catch(error => logEvent(broker.logger, "process_stop.failed", { error }));
  await settledWithin(stopMs, [stopped]);
  if (place.cluster || typeof process.execve !== "function") process.exit(1);
  const crashes = countCrash(place);
  if (crashes >= maxCrashes) giveUp(crashes);
  await sleep(firstPauseMs * 2 ** (crashes - 1));
  // The process stays and runs the program again: there is no parent process, past which a signal could go.
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)]);
}

function giveUp(crashes: number): never {
  process.stderr.write(
    `magpie ends: ${crashes} times within ten minutes an error came up that nothing handles ("process.failed" in the log). ` +
      "Start it again when the cause is known.\n",
  );
  process.exit(1);
}

/** The crashes of the last ten minutes, this one included. */
function countCrash({ dataDir }: Place): number {
  const path = join(dataDir, "falls.json");
  const now = Date.now();
  const recent = [...readCrashes(path).filter(at => at > now - crashWindowMs && at <= now), now];
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify(recent), { mode: 0o600 });
  return recent.length;
}

function readCrashes(path: string): number[] {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as number[];
  } catch {
    // There was none so far, or a process was killed while it wrote the file.
    return [];
  }
}
