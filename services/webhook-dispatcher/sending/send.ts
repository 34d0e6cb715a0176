import type { Dispatcher } from "undici";
import type { ClientCertificate } from "../../../mixins/egress/agent.ts";
import { isStaleConnection } from "../../../mixins/egress/connections.ts";
import { failureClass } from "../../../mixins/egress/failure-class.ts";
import type { DeliveryFailure } from "../../contracts/failure-classes.ts";
import type { Blame } from "../../domain/delivery/apply-outcome.ts";
import { exchangeMs } from "../../domain/delivery/delivery-options.ts";
import type { ShardOwnership } from "../lanes/shard-ownership.ts";

export interface WebhookRequest {
  url: Pick<URL, "origin" | "pathname" | "search">;
  headers: Record<string, string>;
  body: string;
  /** POST by default. */
  method?: "PUT" | undefined;
  /** Milliseconds that the exchange may take; 5,000 by default. */
  timeoutMs?: number | undefined;
  /** What the receiver's TLS is shown, where it asks. */
  clientCertificate?: ClientCertificate | undefined;
}

/** The agent whose connections show a certificate. */
export type Certified = (clientCertificate: ClientCertificate) => Dispatcher;

/** The result of one exchange. */
export interface Answer {
  /** Null when no answer came. */
  status: number | null;
  error: DeliveryFailure | null;
  retryAfter: string | undefined;
  /** The header `X-RateLimit-Reset-After`. */
  resetAfter?: string | undefined;
  /** The first 2 KB of the body. */
  text: string;
  /** What a failure says, where that is not what HTTP says of its status. */
  blame?: Blame;
}

/** Decides whether an exchange may still be sent, and can abort it. */
export type ExchangeOwner = Pick<ShardOwnership, "isHeld" | "began" | "ended">;

export const anyOwner: ExchangeOwner = { isHeld: true, began: () => undefined, ended: () => undefined };

/** POSTs once and answers within the time of the request. Never rejects. */
export type Send = (request: WebhookRequest, within?: ExchangeOwner) => Promise<Answer>;

const keptBytes = 2_048;
/** A body up to this size is read completely, so that its connection can be reused. */
const dumpedBytes = 65_536;

/**
 * POSTs once and answers within its time. Never rejects and follows no redirect. If the receiver closed a reused connection
 * at that moment, the request is sent once more: that is no failure of the receiver. Nothing is sent when the lease is
 * lost.
 */
export function send(
  agent: Dispatcher,
  request: WebhookRequest,
  within: ExchangeOwner = anyOwner,
  when: (begin: () => void) => void = begin => begin(),
): Promise<Answer> {
  return new Promise(resolve => {
    const exchange = new Exchange(agent, request, resolve, within);
    when(() => exchange.begin());
  });
}

export function sendBy(agent: Dispatcher, certified?: Certified): Send {
  return (request, within) => send(agentOf(request, agent, certified), request, within);
}

function agentOf(
  { clientCertificate }: WebhookRequest,
  agent: Dispatcher,
  certified: Certified | undefined,
): Dispatcher {
  return clientCertificate && certified ? certified(clientCertificate) : agent;
}

/** Sends from a thread that does nothing else: few of many requests begin in one tick of its event loop. */
export function sendPaced(agent: Dispatcher, certified?: Certified): Send {
  const pacer = new TickPacer();
  return (request, within) =>
    send(agentOf(request, agent, certified), request, within, begin => pacer.begin(begin));
}

/** Requests that begin in one tick of the event loop. */
const perTick = 16;

/**
 * Lets answers be read between requests. Whatever there is to send, a receiver that answers at once then has few requests
 * under way, each of which costs less, and needs few connections.
 */
export class TickPacer {
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  #isScheduled = false;

  /** Begins at once, or in one of the next ticks. */
  begin(request: () => void): void {
    this.#schedule();
    if (this.#waiting.length > 0 || this.#begun === perTick) this.#waiting.push(request);
    else this.#start(request);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begun = 0;
      if (this.#waiting.length > 0) this.#schedule();
      for (const request of this.#waiting.splice(0, perTick)) this.#start(request);
    });
  }

  #start(request: () => void): void {
    this.#begun += 1;
    request();
  }
}

/**
 * A request under way. After the answer, the rest of the body is read within bounds, so that the connection can be
 * reused.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #agent: Dispatcher;
  readonly #request: WebhookRequest;
  readonly #resolve: (answer: Answer) => void;
  readonly #within: ExchangeOwner;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #retryAfter: string | undefined;
  #resetAfter: string | undefined;
  #kept: Buffer[] = [];
  #bytes = 0;
  #over = false;
  #isSecond = false;

  constructor(
    agent: Dispatcher,
    request: WebhookRequest,
    resolve: (answer: Answer) => void,
    within: ExchangeOwner,
  ) {
    this.#agent = agent;
    this.#request = request;
    this.#resolve = resolve;
    this.#within = within;
    within.began(this);
  }

  /** Sends the request, unless it was aborted before. */
  begin(): void {
    if (this.#over) return;
    this.#timer = setTimeout(() => afterReading(() => this.#expire()), this.#request.timeoutMs ?? exchangeMs);
    this.#dispatch();
  }

  /** Aborts the exchange; whether the receiver has processed it is unknown. */
  abort(): void {
    clearTimeout(this.#timer);
    this.#fail("interrupted");
    this.#controller?.abort(new Error("The exchange was aborted"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for a connection until its timeout, or the process was suspended.
    if (!this.#within.isHeld) this.#fail("interrupted");
    if (this.#over) controller.abort(new Error("The exchange is over"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = [headers["retry-after"]].flat()[0];
    this.#resetAfter = [headers["x-ratelimit-reset-after"]].flat()[0];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < keptBytes) this.#kept.push(chunk.subarray(0, keptBytes - this.#bytes));
    this.#bytes += chunk.length;
    if (this.#bytes >= keptBytes) this.#answer();
    if (this.#bytes > dumpedBytes) controller.abort(new Error("The answer is too long"));
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    this.#answer();
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (!this.#over && !this.#isSecond && this.#status === null && isStaleConnection(error)) {
      this.#isSecond = true;
      this.#dispatch();
      return;
    }
    clearTimeout(this.#timer);
    this.#fail(failureClass(error));
  }

  #dispatch(): void {
    const { url, headers, body, method = "POST" } = this.#request;
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      // The exchange has a timer of its own; undici's would be two more for each request.
      headersTimeout: 0,
      bodyTimeout: 0,
    } as const;
    try {
      this.#agent.dispatch(request, this);
    } catch (error) {
      this.onResponseError(undefined, error);
    }
  }

  #expire(): void {
    this.#fail(this.#controller ? "timeout_answer" : "timeout_connect");
    this.#controller?.abort(new Error("The exchange took too long"));
  }

  #answer(): void {
    if (this.#over) return;
    this.#end();
    const status = this.#status ?? 0;
    const ok = status >= 200 && status < 300;
    this.#resolve({ ...this.#received(), error: ok ? null : `status_${status}` });
  }

  #fail(error: DeliveryFailure): void {
    if (this.#over) return;
    this.#end();
    this.#resolve({ ...this.#received(), error });
  }

  #end(): void {
    this.#over = true;
    this.#within.ended(this);
  }

  #received() {
    const text = Buffer.concat(this.#kept).toString();
    return { status: this.#status, retryAfter: this.#retryAfter, resetAfter: this.#resetAfter, text };
  }
}

/**
 * Calls it once the event loop has read what had arrived: of a process that was too busy to read an answer, the receiver
 * is no cause.
 */
function afterReading(call: () => void): void {
  setImmediate(() => setImmediate(call));
}
