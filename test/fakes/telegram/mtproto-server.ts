import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { unzipSync } from "node:zlib";
import { Long } from "@mtcute/node";
import {
  __tlReaderMap,
  __tlWriterMap,
  createAesIgeForMessage,
  NodeCryptoProvider,
  TlBinaryReader,
  TlBinaryWriter,
} from "@mtcute/node/utils.js";
import { FrameReader, frame } from "./frames.ts";
import { type Request, readRequest } from "./read-request.ts";

/** What the library writes, whatever fields it has. */
interface TlObject {
  _: string;
}

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

const gzipPackedId = 0x3072cfa1;
const containerId = 0x73f1f8dc;
const futureSaltsId = 0xae500895;
const rpcResultId = 0xf35c6d01;
const vectorId = 0x1cb5c415;
const wrappers = ["invokeWithLayer", "initConnection", "invokeWithoutUpdates", "invokeAfterMsg"];
const salt = Long.fromNumber(20_081);
const crypto = new NodeCryptoProvider();

interface Message {
  id: Long;
  body: TlBinaryReader;
}

/**
 * Speaks MTProto 2.0 (core.telegram.org/mtproto) over TCP with the intermediate framing, for one authorization key that
 * both sides have beforehand. A lost connection loses its session, so that the client asks again for what it wants.
 */
export class MtprotoServer {
  readonly #key: Uint8Array;
  readonly #answer: (request: Request) => Promise<Answer>;
  readonly #listening: Server;
  readonly #sessions = new Set<Session>();
  readonly #sockets = new Set<Socket>();
  #port = 0;

  constructor(key: Uint8Array, answer: (request: Request) => Promise<Answer>) {
    this.#key = key;
    this.#answer = answer;
    this.#listening = createServer(socket => this.#accept(socket));
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

  /** Sends an object to everyone who has asked something. */
  push(object: TlObject): void {
    for (const session of this.#sessions) session.send([write(object)], false);
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const frames = new FrameReader();
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
        const opened = open(this.#key, packet);
        // The code for a key that nobody knows.
        if (!opened) {
          socket.write(frame(int(-404)));
          continue;
        }
        if (session?.id.neq(opened.sessionId)) this.#sessions.delete(session);
        if (!session?.id.eq(opened.sessionId)) session = new Session(socket, this.#key, opened.sessionId);
        this.#sessions.add(session);
        this.#take(session, opened);
      }
    });
  }

  #take(session: Session, { salt: sent, message }: Opened): void {
    if (sent.neq(salt)) {
      const bad = { badMsgId: message.id, badMsgSeqno: 0, errorCode: 48, newServerSalt: salt };
      session.send([write(tlObject("mt_bad_server_salt", { ...bad }))], true);
      return;
    }
    session.begin(message.id);
    for (const each of unpack(message)) this.#handle(session, each);
  }

  #handle(session: Session, { id, body }: Message): void {
    session.seen.add(id.toString());
    const request = unwrap(readRequest(body));
    const service = this.#serve(session, id, request);
    if (service) session.send(service, true);
    else
      this.#answer(request).then(
        answer => session.send([rpcResult(id, answer)], true),
        error => session.send([rpcResult(id, failure(error))], true),
      );
  }

  /** What answers a service message; undefined for requests. */
  #serve(session: Session, id: Long, request: Request): Uint8Array[] | undefined {
    switch (request._) {
      case "mt_msgs_ack":
        return [];
      case "mt_ping":
      case "mt_ping_delay_disconnect":
        return [write(tlObject("mt_pong", { msgId: id, pingId: request.pingId }))];
      case "mt_get_future_salts":
        return [futureSalts(id)];
      case "mt_msgs_state_req":
        return [session.states(id, request.msgIds as Long[])];
      case "mt_destroy_session":
        return [write(tlObject("mt_destroy_session_ok", { sessionId: request.sessionId }))];
      case "mt_rpc_drop_answer":
        return [rpcResult(id, { _: "mt_rpc_answer_unknown" })];
      default:
        return undefined;
    }
  }
}

/** One session of the client, which lives as long as its connection. */
class Session {
  readonly id: Long;
  readonly seen = new Set<string>();
  readonly #socket: Socket;
  readonly #key: Uint8Array;
  #isBegun = false;
  #sent = 0;

  constructor(socket: Socket, key: Uint8Array, id: Long) {
    this.id = id;
    this.#socket = socket;
    this.#key = key;
  }

  /** Tells the client, once, that messages before this one are lost. */
  begin(firstMsgId: Long): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const uniqueId = Long.fromBytesLE([...randomBytes(8)]);
    this.send([write(tlObject("mt_new_session_created", { firstMsgId, uniqueId, serverSalt: salt }))], false);
  }

  /** 4: was received; 1: nothing is known of it (core.telegram.org/mtproto/service_messages_about_messages). */
  states(reqMsgId: Long, ids: Long[]): Uint8Array {
    const info = Uint8Array.from(ids, id => (this.seen.has(id.toString()) ? 4 : 1));
    return write(tlObject("mt_msgs_state_info", { reqMsgId, info }));
  }

  /** As one message, or as a container of several. */
  send(bodies: Uint8Array[], isReply: boolean): void {
    if (this.#socket.destroyed || bodies.length === 0) return;
    const messages = bodies.map(body => this.#message(body, isReply));
    const [only = new Uint8Array()] = messages;
    const message =
      messages.length === 1
        ? only
        : this.#message(Buffer.concat([int(containerId), int(messages.length), ...messages]), isReply);
    this.#socket.write(frame(seal(this.#key, this.id, message)));
  }

  /** Ids are the time in seconds times 2^32, and odd: 1 modulo 4 for replies, 3 for others. */
  #message(body: Uint8Array, isReply: boolean): Uint8Array {
    this.#sent += 1;
    const seconds = Math.floor(Date.now() / 1000);
    const id = Long.fromBits(this.#sent * 4 + (isReply ? 1 : 3), seconds);
    return Buffer.concat([long(id), int(this.#sent * 2 + 1), int(body.length), body]);
  }
}

interface Opened {
  salt: Long;
  sessionId: Long;
  message: Message;
}

/** Undefined when it is encrypted with another key, or not at all. */
function open(key: Uint8Array, packet: Uint8Array): Opened | undefined {
  if (Buffer.compare(packet.subarray(0, 8), keyId(key)) !== 0) return undefined;
  const msgKey = packet.subarray(8, 24);
  const plain = createAesIgeForMessage(crypto, key, msgKey, true).decrypt(packet.subarray(24));
  const reader = new TlBinaryReader(__tlReaderMap, plain);
  const [salt, sessionId, id] = [reader.long(), reader.long(), reader.long(true)];
  reader.uint();
  return { salt, sessionId, message: { id, body: inner(reader) } };
}

function seal(key: Uint8Array, sessionId: Long, message: Uint8Array): Uint8Array {
  const padding = 12 + ((16 - ((16 + message.length + 12) % 16)) % 16);
  const plain = Buffer.concat([long(salt), long(sessionId), message, randomBytes(padding)]);
  const msgKey = crypto.sha256(Buffer.concat([key.subarray(96, 128), plain])).subarray(8, 24);
  const sealed = createAesIgeForMessage(crypto, key, msgKey, false).encrypt(new Uint8Array(plain));
  return Buffer.concat([keyId(key), msgKey, sealed]);
}

function keyId(key: Uint8Array): Uint8Array {
  return crypto.sha1(key).subarray(-8);
}

/** The messages of a container, or the one that there is, unzipped. */
function unpack({ id, body }: Message): Message[] {
  const type = body.peekUint();
  if (type === gzipPackedId) {
    body.uint();
    return unpack({ id, body: new TlBinaryReader(__tlReaderMap, new Uint8Array(unzipSync(body.bytes()))) });
  }
  if (type !== containerId) return [{ id, body }];
  body.uint();
  return Array.from({ length: body.uint() }, () => {
    const id = body.long(true);
    body.uint();
    return { id, body: inner(body) };
  }).flatMap(unpack);
}

/** What the length before it says that it holds. */
function inner(reader: TlBinaryReader): TlBinaryReader {
  return new TlBinaryReader(__tlReaderMap, new Uint8Array(reader.raw(reader.uint())));
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

function write(object: TlObject): Uint8Array {
  return TlBinaryWriter.serializeObject(__tlWriterMap, object);
}

function tlObject(name: string, fields: Record<string, unknown>): TlObject {
  return { _: name, ...fields };
}

function int(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value | 0);
  return bytes;
}

function long(value: Long): Uint8Array {
  return Uint8Array.from(value.toBytesLE());
}
