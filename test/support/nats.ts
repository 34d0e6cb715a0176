import { findBinary } from "./debian-binary.ts";
import { startServer, type TestServer } from "./server.ts";

export type TestNats = TestServer;

const debian = {
  program: "nats-server",
  packages: ["nats-server"],
  advice: "Install NATS (Debian: apt-get install nats-server), then try again.",
};

/** A NATS server of its own on a free port of 127.0.0.1. */
export async function startNats(): Promise<TestNats> {
  return startServer({
    name: "nats",
    binary: await findBinary(debian),
    scheme: "nats",
    args: port => ["--addr", "127.0.0.1", "--port", String(port)],
    ready: "Server is ready",
  });
}
