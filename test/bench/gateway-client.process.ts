/**
 * Sends requests over kept connections, one after the other on each, as many as it is asked for; answers how many a second.
 * It reads no more of an answer than its status and length, so that the service is what is measured.
 */
import { connect, type Socket } from "node:net";

export interface Requests {
  url: string;
  key: string;
  count: number;
}

const lanes = 32;
const endOfHead = "\r\n\r\n";

process.on("message", async ({ url, key, count }: Requests) => {
  const { hostname, port, host, pathname } = new URL(url);
  const text = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}${endOfHead}`;
  const began = performance.now();
  let left = count;
  const lane = async () => {
    const socket = connect(Number(port), hostname).setNoDelay().setEncoding("latin1");
    const answers = new Answers(socket);
    while (left > 0) {
      left -= 1;
      socket.write(text);
      await answers.next();
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  process.send?.(count / ((performance.now() - began) / 1000));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

/** The answers on one connection. */
class Answers {
  #text = "";
  #waiting = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    socket.on("data", text => {
      this.#text += text;
      if (this.#isWhole()) this.#waiting.resolve();
    });
    socket.on("error", error => this.#waiting.reject(error));
    socket.on("close", () => this.#waiting.reject(new Error("the connection was closed")));
    this.#waiting.promise.catch(() => undefined);
  }

  async next(): Promise<void> {
    await this.#waiting.promise;
    if (!this.#text.startsWith("HTTP/1.1 200 ")) throw new Error(this.#text);
    this.#text = "";
    this.#waiting = Promise.withResolvers();
    this.#waiting.promise.catch(() => undefined);
  }

  #isWhole(): boolean {
    const end = this.#text.indexOf(endOfHead);
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1] ?? 0);
    return end >= 0 && this.#text.length >= end + endOfHead.length + length;
  }
}
