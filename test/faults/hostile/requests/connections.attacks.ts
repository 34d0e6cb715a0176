import { connect, type Socket } from "node:net";
import { until } from "../../../support/until.ts";
import type { Attack, Attacks, Stage } from "./attack.ts";

/** How long the connections stay open that read nothing. */
const heldMs = 10_000;

/** Connections without a key, each of which sends so many requests for a document at once and reads nothing. */
function pipelining(path: string, connections: number, requests: number): Attack {
  return {
    run: async ({ service }) => {
      const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests);
      return await withSockets(service.address, connections, text);
    },
  };
}

/** Streams of events that are opened and never read. */
async function mute({ service }: Stage): Promise<string> {
  const key = await service.newKey("mute streams");
  const text = `GET /stream/sse HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${key}\r\n\r\n`;
  return await withSockets(service.address, 300, text);
}

async function withSockets(address: string, connections: number, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const sockets: Socket[] = [];
  let closed = 0;
  try {
    for (let n = 0; n < connections; n += 1) {
      const socket = connect(Number(port), hostname);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          closed += 1;
        });
      socket.pause();
      socket.write(text);
      sockets.push(socket);
    }
    const began = performance.now();
    await until("they have been held", () => performance.now() - began > heldMs);
    return `${closed} of ${connections} closed`;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** What takes no answers. */
export const connectionAttacks: Attacks = {
  "pipelined-llms": pipelining("/llms-full.txt", 200, 300),
  "pipelined-guide": pipelining("/guide/webhooks", 200, 300),
  "pipelined-openapi": pipelining("/openapi.json", 200, 300),
  "pipelined-metrics": pipelining("/metrics", 200, 300),
  "pipelined-3000": pipelining("/llms-full.txt", 1, 3000),
  "mute-streams": { run: mute },
};
