import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server of 127.0.0.1 that can break at the worst time. */
export interface LossyWay {
  port: number;
  /** The next answer is lost together with its connection: what was asked has been done. */
  loseAnswer(): void;
  /** Leads to another server from now on, as the address of a primary does after its death. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

export async function openLossyWay(first: number): Promise<LossyWay> {
  const sockets = new Set<Socket>();
  let isLost = false;
  let to = first;
  const server = createServer(client => {
    const upstream = connect(to, "127.0.0.1");
    const cut = () => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut).on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on("data", data => upstream.write(data));
    upstream.on("data", data => {
      if (isLost) cut();
      else client.write(data);
      isLost = false;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: Number(Object(server.address()).port),
    loseAnswer: () => {
      isLost = true;
    },
    leadTo: port => {
      to = port;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
