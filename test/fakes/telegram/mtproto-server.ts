import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Long } from "@mtcute/core";
import { keyId, type Message, open, unpack } from "./envelope.ts";
import { FrameReader, frame } from "./frames.ts";
import { KeyExchange, type ServerKeys } from "./key-exchange.ts";
import { type Request, readRequest } from "./read-request.ts";
import { Session, salt } from "./session.ts";
import { crypto, int, long, type TlObject, tlObject, write } from "./wire.ts";

/** What a request is answered with: an object, a list of them, or yes and no. */
export type Answer = TlObject | TlObject[] | boolean;

/** An error as the network answers it. */
export class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

const futureSaltsId = 0xae500895;
const rpcResultId = 0xf35c6d01;
const vectorId = 0x1cb5c415;
const wrappers = ["invokeWithLayer", "initConnection", "invokeWithoutUpdates", "invokeAfterMsg"];
const noKey = Buffer.alloc(8).toString("hex");

/**
 * Speaks MTProto 2.0 (core.telegram.org/mtproto) over TCP with the intermediate framing, to clients that have one of its
 * authorization keys beforehand or agree on one with it. A lost connection loses its session, so that the client asks
 * again for what it wants.
 */
export class MtprotoServer {
  readonly #serverKeys: ServerKeys;
  readonly #answer: (request: Request) => Promise<Answer>;
  readonly #listening: Server;
  /** By their ids. */
  readonly #keys = new Map<string, Uint8Array>();
  readonly #sessions = new Set<Session>();
  readonly #sockets = new Set<Socket>();
  #port = 0;

  constructor(serverKeys: ServerKeys, answer: (request: Request) => Promise<Answer>) {
    this.#serverKeys = serverKeys;
    this.#answer = answer;
    this.#listening = createServer(socket => this.#accept(socket));
  }

  get connections(): number {
    return this.#sockets.size;
  }

  get port(): number {
    return this.#port;
  }

  async listen(): Promise<void> {
    await crypto.initialize();
    this.#listening.listen(this.#port, "127.0.0.1");
    await once(this.#listening, "listening");
    this.#port = (this.#listening.address() as AddressInfo).port;
  }

  /** Breaks all connections and takes no new one until it listens again. */
  async stop(): Promise<void> {
    if (!this.#listening.listening) return;
    const closed = once(this.#listening, "close");
    this.#listening.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Knows the key from now on. */
  trust(key: Uint8Array): void {
    this.#keys.set(Buffer.from(keyId(key)).toString("hex"), key);
  }

  /** Sends an object to everyone who has asked something. */
  push(object: TlObject): void {
    for (const session of this.#sessions) session.push(write(object));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const frames = new FrameReader();
    const exchange = new KeyExchange(this.#serverKeys);
    let session: Session | undefined;
    socket.setNoDelay(true);
    // A client that breaks off is what this server is for.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#sockets.delete(socket);
      if (session) this.#sessions.delete(session);
    });
    socket.on("data", data => {
      for (const packet of frames.read(data)) {
        const id = Buffer.from(packet.subarray(0, 8)).toString("hex");
        const key = this.#keys.get(id);
        if (key) session = this.#take(socket, session, key, packet);
        else socket.write(frame(id === noKey ? this.#exchange(exchange, packet) : int(-404)));
      }
    });
  }

  #exchange(exchange: KeyExchange, packet: Uint8Array): Uint8Array {
    const answer = exchange.answer(packet);
    if (answer.key) this.trust(answer.key);
    return answer.packet;
  }

  #take(socket: Socket, before: Session | undefined, key: Uint8Array, packet: Uint8Array): Session {
    const { salt: sent, sessionId, message } = open(key, packet);
    const session = before?.id.eq(sessionId) ? before : new Session(socket, key, sessionId);
    if (before && before !== session) this.#sessions.delete(before);
    this.#sessions.add(session);
    if (sent.eq(salt)) {
      session.begin(message.id);
      for (const each of unpack(message)) this.#handle(session, each);
    } else {
      const bad = { badMsgId: message.id, badMsgSeqno: 0, errorCode: 48, newServerSalt: salt };
      session.reply(write(tlObject("mt_bad_server_salt", bad)));
    }
    return session;
  }

  #handle(session: Session, { id, body }: Message): void {
    session.seen.add(id.toString());
    const request = unwrap(readRequest(body));
    if (request._ === "mt_msgs_ack") return;
    const service = serve(session, id, request);
    if (service) session.reply(service);
    else
      this.#answer(request).then(
        answer => session.reply(rpcResult(id, answer)),
        error => session.reply(rpcResult(id, failure(error))),
      );
  }
}

/** What answers a service message; undefined for requests. */
function serve(session: Session, id: Long, request: Request): Uint8Array | undefined {
  switch (request._) {
    case "mt_ping":
    case "mt_ping_delay_disconnect":
      return write(tlObject("mt_pong", { msgId: id, pingId: request.pingId }));
    case "mt_get_future_salts":
      return futureSalts(id);
    case "mt_msgs_state_req":
      return session.states(id, request.msgIds as Long[]);
    case "mt_destroy_session":
      return write(tlObject("mt_destroy_session_ok", { sessionId: request.sessionId }));
    case "mt_rpc_drop_answer":
      return rpcResult(id, { _: "mt_rpc_answer_unknown" });
    default:
      return undefined;
  }
}

function unwrap(request: Request): Request {
  return wrappers.includes(request._) ? unwrap(request.query as Request) : request;
}

function rpcResult(reqMsgId: Long, answer: Answer): Uint8Array {
  return Buffer.concat([int(rpcResultId), long(reqMsgId), writeAnswer(answer)]);
}

function writeAnswer(answer: Answer): Uint8Array {
  if (typeof answer === "boolean") return write({ _: answer ? "boolTrue" : "boolFalse" });
  if (!Array.isArray(answer)) return write(answer);
  return Buffer.concat([int(vectorId), int(answer.length), ...answer.map(write)]);
}

function failure(error: unknown): TlObject {
  const { code: errorCode, message: errorMessage } =
    error instanceof RpcFailure ? error : new RpcFailure(400, `STAND_IN_FAULT: ${error}`);
  return tlObject("mt_rpc_error", { errorCode, errorMessage });
}

/** By hand: the library reads these lists, and writes none. */
function futureSalts(reqMsgId: Long): Uint8Array {
  const now = Math.floor(Date.now() / 1000);
  const hours = [0, 1, 2, 3].map(hour => now + hour * 3600);
  const salts = hours.flatMap(at => [int(at), int(at + 3600), long(salt)]);
  return Buffer.concat([int(futureSaltsId), long(reqMsgId), int(now), int(hours.length), ...salts]);
}
