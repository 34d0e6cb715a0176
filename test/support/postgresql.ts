import { execFileSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Binary, findBinary } from "./debian-binary.ts";
import { needs } from "./needs.ts";
import { givenServer, type Server, startServer } from "./server.ts";

export interface TestPostgresql extends Server {
  /** False where no PostgreSQL can be had: what needs it is skipped, by `withPostgresql`. */
  isThere: boolean;
  port: number;
}

/** Who owns the server of a test. */
export const postgresqlUser = { user: "magpie", password: "a secret/of+tests", database: "postgres" };

const debian = {
  program: "postgres",
  packages: ["postgresql-15"],
  places: ["usr/lib/postgresql/15/bin"],
  advice: "Install PostgreSQL (Debian: apt-get install postgresql), then try again.",
};

/** A PostgreSQL server of its own on a free port of 127.0.0.1, without TLS. */
export async function startPostgresql(): Promise<TestPostgresql> {
  const binary = await found();
  if (binary === null) return Object.assign(givenServer(""), { isThere: false, port: 0 });
  const server = await startServer({
    name: "postgresql",
    binary,
    scheme: "postgresql",
    ...(runAs && { runAs }),
    args: (port, folder) => {
      const data = join(folder, "data");
      if (!existsSync(data)) make(binary, folder, data);
      const settings = [
        `port=${port}`,
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "fsync=off",
      ];
      return ["-D", data, ...settings.flatMap(setting => ["-c", setting])];
    },
    ready: "database system is ready to accept connections",
  });
  return Object.assign(server, { isThere: true });
}

/** It refuses to run as root; 65534 is nobody, everywhere. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** The newest of the machine, which is not on the path, else that of Debian 12. */
async function found(): Promise<Binary | null> {
  const installed = globSync("/usr/lib/postgresql/*/bin/postgres").toSorted().at(-1);
  if (installed) return { path: installed, env: {} };
  return await findBinary(debian).catch(() => null);
}

function make({ path, env }: Binary, folder: string, data: string): void {
  const secret = join(folder, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(secret, postgresqlUser.password);
  if (runAs) for (const each of [folder, data, secret]) chownSync(each, runAs.uid, runAs.gid);
  const access = ["--username", postgresqlUser.user, "--pwfile", secret, "--auth", "scram-sha-256"];
  const program = join(dirname(path), "initdb");
  execFileSync(program, ["-D", data, ...access, "--encoding", "UTF8", "--locale", "C", "--no-sync"], {
    env: { ...process.env, ...env },
    stdio: "pipe",
    cwd: folder,
    ...runAs,
  });
}

/** `describe` and `test` of what needs a PostgreSQL. */
export const withPostgresql = ({ isThere }: TestPostgresql) =>
  needs(isThere, "PostgreSQL: install it, or have Debian's packages", { isOptional: true });
