import type { IncomingMessage } from "node:http";
import "ws";

/** An option of ws 8.19 and later that its types do not know. */
declare module "ws" {
  namespace WebSocket {
    interface ServerOptions<
      U extends typeof WebSocket.WebSocket = typeof WebSocket.WebSocket,
      V extends typeof IncomingMessage = typeof IncomingMessage,
    > {
      /** How long a closing handshake may take, in milliseconds. */
      closeTimeout?: number | undefined;
    }
  }
}
