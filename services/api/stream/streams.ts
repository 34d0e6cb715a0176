import { WebSocketServer } from "ws";
import { existingThrough } from "../../../mixins/keys/existing-keys.ts";
import type { Gateway, Request } from "../gateway.ts";
import { acceptUpgrade, badHandshake, refuseUpgrade } from "./accept-upgrade.ts";
import type { StreamHouse } from "./event-stream.ts";
import { keyGone, stopping } from "./frames.ts";
import type { StreamOptions } from "./options.ts";
import { Registry } from "./registry.ts";
import { endSocket } from "./socket-wire.ts";

/** From clients comes a key at the most. */
const maxPayload = 64 * 1024;

/** All streams of this process, from the server's upgrades and the log's hints on. */
export class Streams {
  readonly house: StreamHouse;
  readonly sockets: WebSocketServer;
  readonly #unsubscribe: () => void;

  constructor(gateway: Gateway, options: StreamOptions) {
    const { broker, logger, log, server } = gateway;
    const registry = new Registry(existingThrough(broker), error =>
      logger.warn("stream.keys_not_checked", { error }),
    );
    this.house = { log, registry, options, onError: error => logger.error("stream.failed", { error }) };
    this.sockets = new WebSocketServer({
      noServer: true,
      maxPayload,
      perMessageDeflate: false,
      closeTimeout: options.lingerMs,
    });
    this.sockets.on("headers", (lines, req) => lines.push(...((req as Request).upgradeHeaders ?? [])));
    this.#unsubscribe = log.onAppended(keyIds => registry.wake(keyIds));
    registry.startRechecking(options.recheckMs);
    server.on("upgrade", (req: Request, socket, head) => void acceptUpgrade(gateway, req, socket, head));
    this.sockets.on("wsClientError", (error, socket, req) =>
      refuseUpgrade(gateway, req as Request, socket, badHandshake(error)),
    );
  }

  keyDeleted(keyId: string): void {
    this.house.registry.endKey(keyId, keyGone);
  }

  /** Ends every stream with 1001; clients connect elsewhere and resume. */
  stop(): void {
    this.#unsubscribe();
    this.house.registry.stopRechecking();
    this.house.registry.endAll();
    for (const socket of this.sockets.clients) endSocket(socket, stopping, this.house.options);
    this.sockets.close();
  }
}
