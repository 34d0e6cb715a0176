import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startEnv } from "./start-args.ts";

export const program = join(import.meta.dirname, "../../bin/magpie.js");

export interface CommandRun {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Exit code, or the signal that ended it. */
  end: Promise<number | NodeJS.Signals>;
}

/** Starts `magpie …` with nothing of this process' settings. */
export function startCommand(args: string[], env: Record<string, string> = {}): CommandRun {
  return observe(
    spawn(process.execPath, ["--no-warnings", program, ...args], { env: { ...startEnv, ...env } }),
  );
}

/** The same in a pseudo-terminal, whose screen is `stdout`. */
export function startInTerminal(args: string[], env: Record<string, string> = {}): CommandRun {
  const line = [process.execPath, "--no-warnings", program, ...args].map(quoted).join(" ");
  const options = { env: { ...startEnv, TERM: "xterm", ...env } };
  return observe(spawn("script", ["-qec", line, "/dev/null"], options));
}

function observe(child: ChildProcess): CommandRun {
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", text => {
      said[name] += text;
    });
  const end = once(child, "close").then(([code, signal]) => code ?? signal);
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, end };
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs it to its end. `input`: what comes on standard input. */
export async function runCommand(args: string[], env: Record<string, string> = {}, input = "") {
  const run = startCommand(args, env);
  run.child.stdin?.end(input);
  const code = await run.end;
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}
