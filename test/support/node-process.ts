import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startArgs, startEnv } from "./start-args.ts";
import { until } from "./until.ts";

/** A node as `npm start` runs it. */
export interface NodeProcess {
  child: ChildProcess;
  /** All that it has printed. */
  output(): string;
  exit: Promise<number | null>;
  /** Where it tells how it is; waits for it. */
  health(): Promise<string>;
  /** Where its gateway listens; waits for it. */
  gateway(): Promise<string>;
}

const root = join(import.meta.dirname, "../..");
const started: NodeProcess[] = [];

/** Services by their folders. */
export function startNode(services: string[], env: Record<string, string>): NodeProcess {
  const child = spawn(process.execPath, startArgs, {
    cwd: root,
    env: {
      ...startEnv,
      ...{ HOME: tmpdir(), LOG_FORMAT: "json" },
      ...{ SERVICES: services.join(","), PORT: "0", HEALTH_PORT: "0", ...env },
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", text => {
      output += text;
    });
  const exit = new Promise<number | null>(resolve => child.once("exit", resolve));
  const said = (pattern: RegExp) => async () => {
    await until(`${services} says ${pattern}`, () => pattern.test(output) || child.exitCode !== null);
    const [, found] = pattern.exec(output) ?? [];
    if (found === undefined) throw new Error(`it ended: ${output}`);
    return found;
  };
  const node = {
    child,
    output: () => output,
    exit,
    health: said(/"event":"node.joined","health":"([^"]+)"/),
    gateway: said(/Magpie listens on (\S+),/),
  };
  started.push(node);
  return node;
}

/** Ends by SIGKILL all that were started. */
export async function killNodes(): Promise<void> {
  for (const { child } of started) child.kill("SIGKILL");
  await Promise.all(started.splice(0).map(({ exit }) => exit));
}
