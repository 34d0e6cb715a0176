import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import type { Dispatcher } from "undici";

interface Options {
  /** The client's message that began the session. */
  initialize: string;
  signal: AbortSignal;
  /** Asks the service, in the session. */
  request(
    method: "GET" | "POST",
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData>;
  /** The session has another id from now on. */
  renew(id: string): void;
  /** Takes a message of the service. */
  take(message: object): void;
}

interface Message {
  id?: unknown;
  method?: string;
  params?: { uri?: unknown; _meta?: Record<string, unknown> };
  result?: { _meta?: Record<string, unknown> };
}

const seqField = "magpie/seq";
const afterField = "magpie/after";
const againMs = 1_000;
const answerMs = 30_000;

/**
 * The notifications of a client of 2025, which come on a stream of their own. A stream that breaks is opened again; where the
 * service has forgotten the session, because it was restarted, the bridge begins another one and subscribes again, after what
 * the client was told last.
 */
export class NotificationStream {
  readonly #options: Options;
  /** What the client has subscribed to, and the last event that it was told of. */
  readonly #subscribed = new Map<string, number>();
  /** Subscriptions without an answer yet, by the ids of their messages. */
  readonly #asked = new Map<unknown, string>();

  constructor(options: Options) {
    this.#options = options;
    void this.#run();
  }

  /** The client has sent a message: it may subscribe, or end a subscription. */
  sent({ id, method, params }: Message): void {
    const uri = String(params?.uri);
    if (method === "resources/subscribe") this.#asked.set(id, uri);
    if (method === "resources/unsubscribe") this.#subscribed.delete(uri);
  }

  /** The service has answered a message: a subscription has a position now. */
  answered({ id, result }: Message): void {
    const uri = this.#asked.get(id);
    if (uri === undefined) return;
    this.#asked.delete(id);
    const seq = result?._meta?.[seqField];
    if (typeof seq === "number") this.#subscribed.set(uri, seq);
  }

  async #run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      await this.#read().catch(() => undefined);
      await sleep(againMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #read(): Promise<void> {
    const { request, signal } = this.#options;
    const { statusCode, body } = await request("GET", undefined, signal);
    if (statusCode === 200) return await this.#copy(body);
    await body.dump();
    if (statusCode === 404) await this.#beginAgain();
  }

  async #copy(body: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({ onEvent: ({ data }) => this.#take(JSON.parse(data) as Message) });
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  }

  #take(message: Message): void {
    const { uri, _meta } = message.params ?? {};
    const seq = Number(_meta?.[seqField]);
    if (typeof uri === "string" && this.#subscribed.has(uri) && seq > 0) this.#subscribed.set(uri, seq);
    this.#options.take(message);
  }

  async #beginAgain(): Promise<void> {
    const { initialize, renew } = this.#options;
    const { headers, body } = await this.#post(initialize);
    await body.dump();
    const id = headers["mcp-session-id"];
    if (typeof id !== "string") return;
    renew(id);
    for (const [uri, seq] of this.#subscribed) {
      const params = { uri, _meta: { [afterField]: seq } };
      const message = { jsonrpc: "2.0", id: "magpie-again", method: "resources/subscribe", params };
      await (await this.#post(JSON.stringify(message))).body.dump();
    }
  }

  #post(body: string): Promise<Dispatcher.ResponseData> {
    const { request, signal } = this.#options;
    return request("POST", body, AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
  }
}
