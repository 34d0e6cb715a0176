import { execFileSync } from "node:child_process";
import { chownSync, existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOnPath } from "../../support/debian-binary.ts";
import type { ServerProgram } from "../../support/server.ts";

/**
 * PostgreSQL of Debian's package with one user, who has all rights, and the database `postgres`; throws where it is missing.
 * It runs as the user that Debian makes for it: it refuses to run as root.
 */
export function postgresProgram(user: string): ServerProgram {
  const server = findOnPath("postgres") ?? globSync("/usr/lib/postgresql/*/bin/postgres").at(-1);
  if (server === undefined) throw new Error("there is no postgres on this machine");
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

function idOf(which: "-u" | "-g"): number {
  return Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));
}
