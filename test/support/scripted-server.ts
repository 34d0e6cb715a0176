import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { selfSigned } from "./self-signed.ts";

/** The bytes of an answer in the pieces in which they are sent, or the end of the connection. */
export type Step = string | "FIN" | "RST";

export interface ScriptedServer {
  url: URL;
  /** How many requests came in completely, and on how many connections. */
  requests(): number;
  connections(): number;
  close(): Promise<void>;
}

/** A server that answers each request on a connection with the next of the scripts, and repeats the last one. */
export async function startScripted(
  scripts: (connection: number) => Step[][],
  { isTls = false } = {},
): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  let [requests, connections] = [0, 0];
  const serve = (socket: Socket) => {
    const script = scripts(connections);
    connections += 1;
    let [answered, text] = [0, ""];
    sockets.add(socket.setNoDelay(true));
    socket.on("error", () => socket.destroy());
    socket.on("data", async data => {
      text += data.toString("latin1");
      for (let rest = afterRequest(text); rest !== undefined; rest = afterRequest(text)) {
        text = rest;
        requests += 1;
        answered += 1;
        await play(socket, script[Math.min(answered, script.length) - 1] ?? []);
      }
    });
  };
  const server = isTls ? createTlsServer(selfSigned(), serve) : createServer(serve);
  server.on("error", () => undefined).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${isTls ? "https" : "http"}://127.0.0.1:${port}/hook`),
    requests: () => requests,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server.close(), "close");
    },
  };
}

/** What follows the first complete request; undefined while it is not complete. */
function afterRequest(text: string): string | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length < end + 4 + length ? undefined : text.slice(end + 4 + length);
}

async function play(socket: Socket, steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (step === "RST") socket.resetAndDestroy();
    else if (step === "FIN") socket.end();
    else await new Promise(resolve => socket.write(step, "latin1", resolve));
    // The next piece is a packet of its own.
    await new Promise(resolve => setImmediate(resolve));
  }
}
