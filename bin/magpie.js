#!/usr/bin/env node
import { spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import module, { createRequire } from "node:module";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fetchedNode } from "./fetched-node.js";

/*
 * Starts Magpie, for `npm start`, the image and the command `magpie`: finds the right Node, and gives the service its
 * options and environment. An old Node reads this file too.
 */
const root = dirname(import.meta.dirname ?? dirname(realpathSync(process.argv[1])));
const source = join(root, "cli/magpie.ts");
const program = existsSync(source) ? source : join(root, "dist/cli/magpie.js");
const compiled = join(root, "node_modules/.cache/magpie/compiled");
const [major, minor] = process.versions.node.split(".").map(Number);
const isOld = major < 22 || (major === 22 && minor < 19);
const isService = process.argv[2] === "serve";
/** A crawl may start a service of its own. */
const logs = isService || process.argv.includes("--own");

/** Of the machine, or of the container where that has a limit. */
const memoryGb = Math.min(totalmem(), process.constrainedMemory?.() || Infinity) / 1024 ** 3;
/**
 * V8 has one thread beside the main one: an idle service has little garbage. Each thread has so many MB, twice, for new
 * objects: what is larger collects a little less, and stays in use.
 */
const forService = ["--v8-pool-size=1", `--max-semi-space-size=${memoryGb < 4 ? 8 : 16}`];
const flags = isService ? [...forService, "--disable-warning=ExperimentalWarning"] : ["--no-warnings"];
const env = {
  // Memory goes back to the system: V8 compiles in blocks of up to 32 KB. Only a new process reads these.
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "16384",
  MALLOC_TRIM_THRESHOLD_: "65536",
  ...process.env,
  // A start reuses what an earlier start has compiled. Nobody else can write to this folder.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || compiled,
};
// Moleculer's runner looks below this folder for the services that SERVICES names.
if (env.SERVICES) env.SERVICEDIR ||= join(dirname(dirname(program)), "services");

const node = testedNode() ?? (isOld ? fetchedNode(root) : undefined) ?? process.execPath;
const isReady = node === process.execPath && (!logs || flags.every(flag => process.execArgv.includes(flag)));

if (isReady || (node === process.execPath && (process.channel || isOld))) await runHere();
else if (process.execve && !process.channel) process.execve(node, [node, ...nodeArgs()], env);
else runChild();

/** The packaged Node; undefined where there is none, as in the image, or where it cannot run, as on Alpine. */
function testedNode() {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin/node");
    const tested = existsSync(path) ? realpathSync(path) : undefined;
    return tested === process.execPath || runs(tested) ? tested : undefined;
  } catch {
    return undefined;
  }
}

/** Asked first, since a process that becomes a program which cannot run is lost. */
function runs(program) {
  return program !== undefined && spawnSync(program, ["-v"]).status === 0;
}

function nodeArgs() {
  return [...process.execArgv, ...flags, ...process.argv.slice(1)];
}

async function runHere() {
  if (isOld) {
    process.stderr.write(
      `magpie needs Node 22.19 or later; this is ${process.versions.node}. Install a newer one, or beside magpie: npm install node@24\n`,
    );
    process.exitCode = 1;
    return;
  }
  Object.assign(process.env, env);
  module.enableCompileCache?.(env.NODE_COMPILE_CACHE);
  if (isService) endOnEarlySignals();
  await (await import(program)).main();
}

/** The first process of a container gets no signal that it has no handler for. The service has its own, once it is loaded. */
function endOnEarlySignals() {
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ])
    process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(128 + number));
}

/** For a Node that cannot become another one. */
function runChild() {
  let child;
  // Handlers first: a signal that comes before the child is there waits for the event loop, which is after it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"])
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both processes. The service may get it twice; a console must not.
      if (signal !== "SIGINT" || isService || !process.stdin.isTTY) child.kill(signal);
    });
  child = spawn(node, nodeArgs(), { stdio: "inherit", env });
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
