import { startHelper } from "./child.ts";
import { type Bench, verdict } from "./compare.ts";
import type { StreamQuestion, StreamUse } from "./stream-server.process.ts";

const warmUp = 500;
const sockets = 10_000;
const barKb = 40;

/** Resident memory of the service for each WebSocket that is open and idle; the clients are another process. */
export const stream: Bench = async () => {
  const { server, client } = await startStreams();
  try {
    await client.ask({ ...server.first, count: warmUp });
    const before = await server.ask("collect");
    const opened = await client.ask({ ...server.first, count: warmUp + sockets });
    const each = ((await server.ask("collect")).rss - before.rss) / (opened - warmUp) / 1024;
    return [
      verdict(`stream: ${opened - warmUp} idle sockets, ${each.toFixed(1)} KB each`, each, "<=", barKb),
    ];
  } finally {
    await client.stop();
    await server.stop();
  }
};

/** A gateway, and a process for its clients. */
export async function startStreams() {
  const server = await startHelper<StreamQuestion, StreamUse, { url: string; key: string }>(
    "stream-server.process.ts",
  );
  const client = await startHelper<object, number>("stream-client.process.ts");
  return { server, client };
}
