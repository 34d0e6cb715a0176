import { type ChildProcess, fork, type Serializable } from "node:child_process";
import { once } from "node:events";

/** Starts a file as a process that answers once it stands, and after each message. */
export async function startChild(file: string, args: string[]): Promise<ChildProcess> {
  const child = fork(file, args, { execArgv: ["--no-warnings"] });
  await answered(child);
  return child;
}

/** Has it do something; resolves when that is done. */
export async function order(child: ChildProcess, message: Serializable): Promise<void> {
  const answer = answered(child);
  child.send(message);
  await answer;
}

/** Ends it by SIGKILL, unless it has ended. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function answered(child: ChildProcess): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(() => {
        throw new Error("the process ended before it answered");
      }),
    ]);
  } finally {
    stop.abort();
  }
}
