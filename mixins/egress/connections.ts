import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { errorsIn } from "./guard.ts";

/** undici publishes each connection here before it writes the first request to it, also one through a proxy. */
const connected = "undici:client:connected";

/**
 * Watches every connection that undici opens: it discards informational answers (RFC 9110, 15.2), and
 * `isStaleConnection` then knows the errors of connections. Returns what ends it for later connections.
 */
export function watchConnections(): () => void {
  const watch = (message: unknown) => watchConnection((message as { socket: Socket }).socket);
  subscribe(connected, watch);
  return () => unsubscribe(connected, watch);
}

/**
 * The server closed a kept-alive connection just as it was used again, and gave no byte of an answer. A request that may
 * arrive twice can be repeated.
 */
export function isStaleConnection(error: unknown): boolean {
  return errorsIn(error).some(each => stale.has(each));
}

const stale = new WeakSet<object>();
const watched = new WeakSet<Socket>();
const closed = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

function watchConnection(socket: Socket): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  const heads = new AnswerHeads();
  const push = socket.push;
  socket.push = (chunk: Buffer | null, encoding) => {
    if (chunk) heads.read(chunk, socket.bytesWritten);
    return push.call(socket, chunk, encoding);
  };
  // It is the same error as the request's, and comes here first.
  socket.on("error", (error: Error & { code?: string }) => {
    if (closed.has(error.code ?? "") && heads.isUnanswered(socket.bytesWritten)) stale.add(error);
  });
}

const [lf, cr, zero, one, three] = [0x0a, 0x0d, 0x30, 0x31, 0x33];
/** The places of the three digits of the status in `HTTP/1.1 200`. */
const [firstDigit, secondDigit, lastDigit] = [9, 10, 11];

/**
 * Follows the heads of a connection's answers, and changes 100 (Continue) to 103 (Early Hints): undici ends the connection
 * at a 100 that it did not ask for, and discards the other informational answers.
 */
export class AnswerHeads {
  /** What had been written when an answer last began. More than this is the next request. */
  #written = 0;
  #answers = 0;
  #part: "statusLine" | "fields" | "rest" = "rest";
  /** The place of the next byte in the status line. */
  #place = 0;
  #isInterim = false;
  #isContinue = false;
  #isLineStart = false;

  /** Whether an earlier request was answered, and the latest has not got a byte. */
  isUnanswered(written: number): boolean {
    return this.#answers > 0 && written > this.#written;
  }

  /** Takes the next bytes that came. `written` bytes had been sent by then. */
  read(chunk: Buffer, written: number): void {
    if (written > this.#written) this.#expectAnswer();
    for (let at = 0; at < chunk.length && this.#part !== "rest"; at += 1)
      if (this.#part === "statusLine") this.#readStatusLine(chunk, at, written);
      else this.#readFields(chunk[at]);
  }

  #expectAnswer(): void {
    this.#part = "statusLine";
    this.#place = 0;
  }

  #readStatusLine(chunk: Buffer, at: number, written: number): void {
    const byte = chunk[at];
    // Empty lines before an answer are no part of it.
    if (this.#place === 0 && (byte === cr || byte === lf)) return;
    this.#written = written;
    if (this.#place === firstDigit) this.#isInterim = byte === one;
    if (this.#place === secondDigit) this.#isContinue = this.#isInterim && byte === zero;
    if (this.#place === lastDigit) this.#readLastDigit(chunk, at);
    this.#place += 1;
  }

  #readLastDigit(chunk: Buffer, at: number): void {
    // 101 ends HTTP on the connection.
    if (this.#isContinue && chunk[at] === one) this.#isInterim = false;
    if (this.#isContinue && chunk[at] === zero) chunk[at] = three;
    if (!this.#isInterim) this.#answers += 1;
    this.#part = this.#isInterim ? "fields" : "rest";
    this.#isLineStart = false;
  }

  #readFields(byte: number | undefined): void {
    if (byte === lf && this.#isLineStart) this.#expectAnswer();
    else if (byte === lf) this.#isLineStart = true;
    else if (byte !== cr) this.#isLineStart = false;
  }
}
