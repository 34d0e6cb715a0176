#!/usr/bin/env node
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fetchedNode } from "./fetched-node.js";

/*
 * The command `magpie`, in words that an old Node understands too. It runs the program with the Node that is installed
 * beside it, which is the one it is tested on, or else with the one that is there, from version 22.
 */
const root = dirname(import.meta.dirname ?? process.argv[1]);
const source = join(root, "cli/magpie.ts");
const program = existsSync(source) ? source : join(root, "dist/cli/magpie.js");
const serviceFolder = join(dirname(dirname(program)), "services");
const isOld = Number(process.versions.node.split(".")[0]) < 22;
const tested = testedNode() ?? (isOld ? fetchedNode(root) : undefined);

// Moleculer's runner looks for the services that SERVICES names below this folder.
if (process.env.SERVICES) process.env.SERVICEDIR ||= serviceFolder;

// What one start has compiled, the next one finds. It stays in a folder that nobody else can write to.
module.enableCompileCache?.(join(root, "node_modules/.cache/magpie/compiled"));

if (tested !== undefined && tested !== process.execPath) run(tested);
else if (!isOld) await (await import(program)).main();
else {
  process.stderr.write(
    `magpie needs Node 22 or later; this is ${process.versions.node}. Install a newer one, or beside magpie: npm install node@24\n`,
  );
  process.exitCode = 1;
}

/** The packaged Node; undefined where its install script did not run. */
function testedNode() {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin/node");
    return existsSync(path) ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Runs this file again with another Node. */
function run(node) {
  const child = spawn(node, ["--no-warnings", ...process.argv.slice(1)], {
    stdio: "inherit",
    // As `npm start` has it (docs/decisions/0023-a-thread-is-warm-before-the-first-page.md).
    env: {
      MALLOC_ARENA_MAX: "1",
      MALLOC_MMAP_THRESHOLD_: "65536",
      MALLOC_TRIM_THRESHOLD_: "65536",
      ...process.env,
    },
  });
  // A terminal sends Ctrl-C to both processes; a signal by `kill` reaches this one alone.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", error => {
    process.stderr.write(`magpie cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.removeAllListeners();
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}
