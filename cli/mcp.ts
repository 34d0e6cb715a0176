import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { createParser } from "eventsource-parser";
import { Agent, request } from "undici";
import { NotificationStream } from "./mcp-notifications.ts";

export interface StdioOptions {
  /** The address of the service whose tools are offered. */
  url: string;
  apiKey: string;
  input?: Readable;
  output?: Writable;
}

/** The fields of a JSON-RPC 2.0 message that the bridge reads. */
interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
}

/** How long an answer may take: longer than the longest scrape. */
const answerMs = 660_000;
/** The code of JSON-RPC for errors of the server. */
const serverError = -32000;
const parseError = -32700;
/** The header with the session of a client of 2025. */
const sessionHeader = "mcp-session-id";
const versionField = "io.modelcontextprotocol/protocolVersion";

/**
 * Serves the Model Context Protocol over stdio: it sends each line of `input`, which is a message, to `POST /mcp` of a
 * service, and writes the answers as lines of `output`, which has nothing else. The service does all the work, so this
 * knows no tool and no revision. It ends with `input`, and then gives up the running requests.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout } = options;
  const bridge = new Bridge(options, output);
  try {
    for await (const line of createInterface({ input })) if (line.trim() !== "") bridge.take(line);
  } finally {
    await bridge.close();
  }
}

class Bridge {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #output: Writable;
  readonly #closed = new AbortController();
  /** The session of a client of 2025, and its stream of notifications. */
  #session: string | undefined;
  #notifications: NotificationStream | undefined;
  /** The running requests, by the ids of their messages. */
  readonly #underWay = new Map<unknown, AbortController>();
  readonly #agent = new Agent({ headersTimeout: answerMs, bodyTimeout: answerMs });

  constructor({ url, apiKey }: StdioOptions, output: Writable) {
    this.#url = `${url.replace(/\/+$/, "")}/mcp`;
    this.#apiKey = apiKey;
    this.#output = output;
    // The client has gone and reads no more.
    output.on("error", () => this.#closed.abort());
  }

  take(line: string): void {
    const message = parsed(line);
    if (!message)
      this.#write({ id: null, error: { code: parseError, message: "This line is not a message." } });
    else if (message.method === "notifications/cancelled") this.#cancel(message);
    else void this.#forward(message, line);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#agent.destroy();
  }

  /** Ends a request. The service ends the call when its connection closes. */
  #cancel({ params }: Message): void {
    this.#underWay.get(params?.requestId)?.abort();
  }

  async #forward(message: Message, line: string): Promise<void> {
    const { id } = message;
    const cancel = new AbortController();
    if (id !== undefined) this.#underWay.set(id, cancel);
    try {
      await this.#send(message, line, AbortSignal.any([this.#closed.signal, cancel.signal]));
    } catch (error) {
      if (!cancel.signal.aborted) this.#fail(id, `${this.#url} cannot be reached (${reasonOf(error)}).`);
    } finally {
      if (this.#underWay.get(id) === cancel) this.#underWay.delete(id);
    }
  }

  async #send(message: Message, line: string, signal: AbortSignal): Promise<void> {
    const isEndless = message.method === "subscriptions/listen";
    const { statusCode, headers, body } = await request(this.#url, {
      method: "POST",
      dispatcher: this.#agent,
      signal: isEndless ? signal : AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      headers: { ...headersOf(message), ...this.#ownHeaders() },
      body: line,
    });
    if (message.method === "initialize") this.#begin(line, headers[sessionHeader]);
    this.#notifications?.sent(message);
    if (String(headers["content-type"]).startsWith("text/event-stream")) return await this.#copyStream(body);
    const text = await body.text();
    const answer = parsed(text) as
      | (Message & { jsonrpc?: unknown; code?: string; message?: string })
      | undefined;
    if (answer?.jsonrpc !== undefined)
      this.#write({ ...answer, ...(message.id !== undefined && { id: message.id }) });
    else if (statusCode >= 300) this.#fail(message.id, refusal(statusCode, answer), answer);
  }

  #ownHeaders(): Record<string, string> {
    return { "x-api-key": this.#apiKey, ...(this.#session && { [sessionHeader]: this.#session }) };
  }

  /** Opens the stream of notifications of a session. */
  #begin(initialize: string, session: string | string[] | undefined): void {
    if (typeof session !== "string") return;
    this.#session = session;
    this.#notifications = new NotificationStream({
      initialize,
      signal: this.#closed.signal,
      request: (method, body, signal) =>
        request(this.#url, {
          method,
          dispatcher: this.#agent,
          signal,
          headers: { ...headersOf({}), ...this.#ownHeaders() },
          ...(body !== undefined && { body }),
        }),
      renew: id => {
        this.#session = id;
      },
      take: message => this.#write(message),
    });
  }

  async #copyStream(body: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ data }) => {
        const message = parsed(data);
        if (message) this.#write(message);
      },
    });
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  }

  #fail(id: Message["id"], message: string, data?: unknown): void {
    if (id === undefined) return;
    this.#write({ id, error: { code: serverError, message, ...(data !== undefined && { data }) } });
  }

  #write(message: object): void {
    this.#notifications?.answered(message);
    if (!this.#closed.signal.aborted)
      this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

/** Parses a JSON object; undefined for anything else. */
function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Headers that the revision 2026-07-28 requires. Messages of the revisions of 2025 carry no version and need none. */
function headersOf({ method = "", params }: Message): Record<string, string> {
  const common = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const version = params?._meta?.[versionField];
  if (typeof version !== "string") return common;
  const name = params?.name ?? params?.uri;
  return {
    ...common,
    "mcp-protocol-version": encoded(version),
    "mcp-method": encoded(method),
    ...(typeof name === "string" && { "mcp-name": encoded(name) }),
  };
}

/** Encodes text so that a header can carry it. */
function encoded(text: string): string {
  return /^[!-~]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

function refusal(status: number, answer: { code?: string; message?: string } = {}): string {
  return answer.message === undefined
    ? `The service answered ${status}.`
    : `${answer.code}: ${answer.message}`;
}

function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return message || code || "no answer";
}
