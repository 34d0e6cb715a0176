import type { Server } from "node:http";
import type { Logger, ServiceBroker } from "moleculer";
import { type WebSocket, WebSocketServer } from "ws";
import { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { call } from "../../contracts/action.ts";
import { findCallers } from "../../contracts/session.contract.ts";
import type { AuthContext } from "../http/auth.ts";
import type { HostCheck } from "../http/hosts.ts";
import type { Holder, Untaken } from "../http/untaken.ts";
import type { Request } from "../request/request.ts";
import type { AnswerContext } from "../routes/route.ts";
import { EventFeed } from "./event-feed.ts";
import type { StreamContext, StreamOptions } from "./event-stream.ts";
import { type Ending, keyGone, stopping } from "./protocol.ts";
import { Registry } from "./registry.ts";
import { SharedReaders } from "./shared-reader.ts";
import { acceptUpgrade, badHandshake, refuseUpgrade } from "./upgrade.ts";
import { endSocket } from "./web-socket.ts";

const lookUpMs = 5000;
/** Clients send nothing longer than a frame with a key. */
const maxPayload = 64 * 1024;

/** What streams need of the gateway. */
export interface StreamServer extends AuthContext {
  broker: ServiceBroker;
  logger: Logger;
  server: Server;
  log: EventLog;
  checkHost: HostCheck;
}

/** The streams of this process. They start with the server's upgrades and wake with the log's hints. */
export class Streams {
  readonly context: StreamContext;
  readonly sockets: WebSocketServer;
  /** The new events of all keys. */
  readonly feed: EventFeed;
  /** The open streams of all keys' events. */
  readonly all = new Set<{ end(ending: Ending): void }>();
  readonly #holders = new WeakMap<WebSocket, Holder>();
  readonly #unsubscribe: () => void;

  constructor(gateway: StreamServer & AnswerContext, options: StreamOptions) {
    const { broker, logger, log, server } = gateway;
    const registry = new Registry(
      ids => call(broker, findCallers, { ids }, { timeout: lookUpMs }),
      error => logEvent(logger, "stream_key_check.failed", { error }),
      () => gateway.now(),
    );
    this.feed = new EventFeed(log, error => logEvent(logger, "stream_read.failed", { error }));
    const tagged = TaggedSources.through(broker);
    const onError = (error: unknown) => logEvent(logger, "stream.failed", { error });
    const shared = new SharedReaders(log, registry);
    this.context = { log, registry, shared, tagged, options, onError };
    this.sockets = new WebSocketServer({
      noServer: true,
      maxPayload,
      perMessageDeflate: false,
      closeTimeout: options.lingerMs,
    });
    this.sockets.on("headers", (lines, req) => lines.push(...((req as Request).upgradeHeaders ?? [])));
    this.#unsubscribe = log.onAppended(keyIds => registry.wake(keyIds));
    registry.startRechecking(options.recheckMs);
    const { checkHost } = gateway;
    const upgrade = {
      auth: gateway,
      checkHost,
      logger,
      server,
      sockets: this.sockets,
      streams: this.context,
      answers: gateway,
    };
    server.on("upgrade", (req: Request, socket, head) => {
      acceptUpgrade(upgrade, req, socket, head).catch((error: unknown) => {
        logEvent(logger, "stream_upgrade.failed", { error });
        socket.destroy();
      });
    });
    this.sockets.on("wsClientError", (error, socket, req) =>
      refuseUpgrade(logger, req as Request, socket, badHandshake(error)),
    );
  }

  /** Open streams, those of all keys' events too. */
  get size(): number {
    return this.context.registry.size + this.all.size;
  }

  keyDeleted(keyId: string): void {
    this.context.registry.endKey(keyId, keyGone);
  }

  /** The end or the scopes of a key may have changed. */
  keyChanged(keyId: string): Promise<void> {
    return this.context.registry.checkKey(keyId);
  }

  /** The tags of a key, or what it tracks, have changed. */
  sourcesRetagged(keyId: string): void {
    this.context.tagged.forget(keyId);
  }

  /** Counts what WebSockets hold; a response counts for its stream. */
  measureClients(untaken: Untaken): void {
    for (const socket of this.sockets.clients)
      untaken.measure(this.#holderOf(socket, untaken), socket.bufferedAmount);
  }

  #holderOf(socket: WebSocket, untaken: Untaken): Holder {
    const known = this.#holders.get(socket);
    if (known) return known;
    const holder = { destroy: () => socket.terminate() };
    this.#holders.set(socket, holder);
    socket.once("close", () => untaken.release(holder));
    return holder;
  }

  /** Ends every stream with 1001; clients connect elsewhere and resume. */
  stop(): void {
    this.#unsubscribe();
    this.context.registry.stopRechecking();
    this.context.registry.endAll();
    for (const stream of [...this.all]) stream.end(stopping);
    for (const socket of this.sockets.clients) endSocket(socket, stopping, this.context.options);
    this.sockets.close();
  }
}
