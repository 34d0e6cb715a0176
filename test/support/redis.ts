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
