import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { findOnPath } from "../../support/debian-binary.ts";
import type { ServerProgram } from "../../support/server.ts";

/**
 * PostgreSQL of Debian's package with one user, who has all rights, and the database `postgres`; throws where it is missing.
 * It runs as the user that Debian makes for it: it refuses to run as root.
 */
export function postgresProgram(user: string): ServerProgram {
  const server = programOf("postgres");
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const args = (port: number, folder: string) => {
    const data = join(folder, "data");
    if (isRoot) chownSync(folder, idOf("-u"), idOf("-g"));
    const initialise = [...as, join(dirname(server), "initdb"), "-D", data, "-U", user, "--auth=trust"];
    if (!existsSync(data)) execFileSync("env", initialise, { stdio: "pipe", cwd: folder });
    return [...as, server, "-D", data, "-k", folder, "-h", "127.0.0.1", "-p", String(port)];
  };
  const binary = { path: findOnPath("env") ?? "/usr/bin/env", env: {} };
  return {
    name: "postgres",
    binary,
    scheme: "tcp",
    args,
    ready: "ready to accept connections",
    isOrdinary: true,
  };
}

/** A client of the database `postgres`, for queries that are answered with one row. */
export function openPsql(user: string, port: number) {
  const args = ["-h", "127.0.0.1", "-p", String(port), "-U", user, "-d", "postgres", "-qAt"];
  const child = spawn(programOf("psql"), args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout);
  return {
    ask: async (query: string): Promise<string> => {
      const answer = once(lines, "line");
      child.stdin.write(`${query};\n`);
      return ((await answer) as [string])[0];
    },
    close: async () => {
      const gone = once(child, "exit");
      child.stdin.end();
      await gone;
    },
  };
}

function programOf(name: string): string {
  const found = findOnPath(name) ?? globSync(`/usr/lib/postgresql/*/bin/${name}`).at(-1);
  if (found === undefined) throw new Error(`there is no ${name} on this machine`);
  return found;
}

function idOf(which: "-u" | "-g"): number {
  return Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));
}
