import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cpuSeconds, descendants } from "../../test/bench/processes.ts";
import { removeFolder } from "../../test/support/folders.ts";
import { withoutBrowser } from "../../test/support/start-args.ts";

/** From `npm start` until `/health/ready` says yes. */
export interface Start {
  seconds: number;
  /** The part that the program itself has computed, on all processors; npm's own share is some 0.5 s. */
  cpuSeconds: number;
}

const rounds = 3;

/** The first start after an install, and the median of those that find what it has compiled. */
export async function measureStarts(): Promise<{ first: Start; next: Start }> {
  const compiled = mkdtempSync(join(tmpdir(), "magpie-compiled-"));
  try {
    const first = await measureStart(compiled);
    const next: Start[] = [];
    for (let round = 0; round < rounds; round += 1) next.push(await measureStart(compiled));
    return {
      first,
      next: {
        seconds: median(next.map(({ seconds }) => seconds)),
        cpuSeconds: median(next.map(start => start.cpuSeconds)),
      },
    };
  } finally {
    await removeFolder(compiled);
  }
}

async function measureStart(compiled: string): Promise<Start> {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-ready-"));
  const settings = { DATA_DIR: dataDir, HOME: dataDir, PORT: "0", NODE_COMPILE_CACHE: compiled };
  const began = performance.now();
  const npm = spawn("npm", ["start"], {
    env: { PATH: process.env.PATH, ...settings, ...withoutBrowser },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const exit = once(npm, "exit");
  try {
    const address = await addressIn(npm.stdout);
    const { status } = await fetch(`${address}/health/ready`);
    const seconds = (performance.now() - began) / 1000;
    if (status !== 200) throw new Error(`the program listens, but /health/ready says ${status}`);
    return { seconds, cpuSeconds: cpuSeconds(descendants(npm.pid ?? 0)) };
  } finally {
    process.kill(-(npm.pid ?? 0), "SIGTERM");
    await exit;
    await removeFolder(dataDir);
  }
}

/** Where a program listens, by what it prints. What it prints later is thrown away. */
export async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /Magpie listens on (\S+),/.exec(line) ?? [];
    if (address !== undefined) {
      output.resume();
      return address;
    }
  }
  throw new Error("the program ended before it listened");
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;
}
