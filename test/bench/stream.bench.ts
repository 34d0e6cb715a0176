import { startHelper } from "./child.ts";
import { type Bench, verdict } from "./compare.ts";

const warmUp = 500;
const sockets = 10_000;
const barKb = 40;

/** Resident memory of the service for each WebSocket that is open and idle; the clients are another process. */
export const stream: Bench = async () => {
  const server = await startHelper<string, number, { url: string; key: string }>("stream-server.process.ts");
  const client = await startHelper<object, number>("stream-client.process.ts");
  try {
    await client.ask({ ...server.first, count: warmUp });
    const before = await server.ask("memory");
    const opened = await client.ask({ ...server.first, count: warmUp + sockets });
    const each = ((await server.ask("memory")) - before) / (opened - warmUp) / 1024;
    return [
      verdict(`stream: ${opened - warmUp} idle sockets, ${each.toFixed(1)} KB each`, each, "<=", barKb),
    ];
  } finally {
    await client.stop();
    await server.stop();
  }
};
