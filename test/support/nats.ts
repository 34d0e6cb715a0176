import { findBinary } from "./debian-binary.ts";
import { type StartOptions, startServer, type TestServer } from "./server.ts";

export type TestNats = TestServer;

const debian = {
  program: "nats-server",
  packages: ["nats-server"],
  advice: "Install NATS (Debian: apt-get install nats-server), then try again.",
};

/** A NATS server of its own on a free port of 127.0.0.1. */
export async function startNats({
  jetstream = false,
  ...options
}: StartOptions & { jetstream?: boolean } = {}): Promise<TestNats> {
  return startServer({
    ...options,
    name: "nats",
    binary: await findBinary(debian),
    scheme: "nats",
    args: (port, folder) => [
      ...["--addr", "127.0.0.1", "--port", String(port)],
      ...(jetstream ? ["--jetstream", "--store_dir", folder] : []),
    ],
    ready: "Server is ready",
  });
}
