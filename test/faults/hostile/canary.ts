import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Listens where nothing that a page does may arrive. */
export interface Canary {
  /** `127.0.0.1:<port>` and `127.0.0.3:<port>`, the same port, over TCP. */
  hosts: string[];
  /** `127.0.0.1:<port>` over UDP. */
  udp: string;
  /** What arrived: address, and the first line of what was sent. */
  hits: string[];
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  const hits: string[] = [];
  const first = await listen("127.0.0.1", 0, hits);
  const second = await listen("127.0.0.3", portOf(first), hits);
  const udp = createSocket("udp4", message => hits.push(`udp: ${message.length} bytes`));
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  return {
    hosts: ["127.0.0.1", "127.0.0.3"].map(host => `${host}:${portOf(first)}`),
    udp: `127.0.0.1:${udp.address().port}`,
    hits,
    close: async () => {
      udp.close();
      await Promise.all([first, second].map(server => new Promise(resolve => server.close(resolve))));
    },
  };
}

async function listen(host: string, port: number, hits: string[]): Promise<Server> {
  const server = createServer(socket => {
    socket.on("error", () => socket.destroy());
    socket.once("data", data => {
      hits.push(`${host}: ${data.toString("latin1").split("\r\n", 1)[0]}`);
      socket.destroy();
    });
  });
  server.on("connection", socket => socket.setTimeout(5000, () => socket.destroy()));
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the canary listens on no port");
  return address.port;
}
