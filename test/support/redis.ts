import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBinary } from "./debian-binary.ts";
import { type StartOptions, startServer, type TestServer } from "./server.ts";

export type TestRedis = TestServer;

const debian = {
  program: "redis-server",
  packages: ["redis-server", "redis-tools"],
  advice: "Install Redis 6.2 or later (Debian: apt-get install redis-server), then try again.",
};

/** A Redis server of its own on a free port of 127.0.0.1, which has on disk whatever it acknowledged. */
export async function startRedis(options?: StartOptions): Promise<TestRedis> {
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"];
  return startServer({
    ...options,
    name: "redis",
    binary: await findBinary(debian),
    scheme: "redis",
    args: (port, folder) => [
      ...["--bind", "127.0.0.1", "--port", String(port), "--dir", folder, "--save", ""],
      ...durable,
    ],
    ready: "Ready to accept connections",
  });
}

/** One of three sentinels of a primary, which they call `log`. */
export async function startSentinel(primary: TestRedis): Promise<TestRedis> {
  return startServer({
    name: "sentinel",
    binary: await findBinary(debian),
    scheme: "redis",
    args: (port, folder) => {
      const lines = [
        ...["bind 127.0.0.1", `port ${port}`, `dir ${folder}`],
        `sentinel monitor log 127.0.0.1 ${primary.port} 2`,
        ...["sentinel down-after-milliseconds log 1000", "sentinel failover-timeout log 5000"],
      ];
      // Sentinels write what they learn into their file.
      const file = join(folder, "sentinel.conf");
      writeFileSync(file, `${lines.join("\n")}\n`);
      return [file, "--sentinel"];
    },
    ready: "+monitor",
  });
}
