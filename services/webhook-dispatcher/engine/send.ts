import type { Dispatcher } from "undici";
import { isStaleConnection } from "../../../mixins/egress/fetch-failure.ts";
import type { Delivery } from "../../contracts/webhook.contract.ts";
import { failureClass } from "./failure-class.ts";
import type { Tenure } from "./tenure.ts";

export interface Request {
  url: URL;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** What came of one exchange. */
export interface Answer {
  /** Null when no answer came. */
  status: number | null;
  error: Delivery["error"];
  retryAfter: string | undefined;
  /** The first 2 KB of the body. */
  text: string;
}

/** What an exchange has to do with the time in which it may take place. */
export type Within = Pick<Tenure, "isHeld" | "began" | "ended">;

const anyTime: Within = { isHeld: true, began: () => undefined, ended: () => undefined };

/** For connect, send, headers and the part of the body that is kept. */
const exchangeMs = 5_000;
const keptBytes = 2_048;
/** A body up to this size is read to its end, so that its connection can be used again. */
const dumpedBytes = 65_536;

/**
 * POSTs once. Never rejects, follows no redirect, and answers within 5 s. A connection that the receiver closed just as it
 * was used again says nothing of the receiver: the request goes out anew, once. Nothing goes out when it may not any more.
 */
export function send(agent: Dispatcher, request: Request, within: Within = anyTime): Promise<Answer> {
  return new Promise(resolve => {
    const dispatch = () => {
      try {
        agent.dispatch(
          {
            origin: request.url.origin,
            path: request.url.pathname + request.url.search,
            method: "POST",
            headers: request.headers,
            body: request.body,
          },
          exchange,
        );
      } catch (error) {
        exchange.onResponseError(undefined, error);
      }
    };
    const exchange = new Exchange(resolve, dispatch, within);
    dispatch();
  });
}

/** One request on its way. What comes after the answer was given is read within bounds, for the connection's sake. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void;
  readonly #dispatchAgain: () => void;
  readonly #within: Within;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #retryAfter: string | undefined;
  #kept: Buffer[] = [];
  #bytes = 0;
  #over = false;
  #isSecond = false;

  constructor(resolve: (answer: Answer) => void, dispatchAgain: () => void, within: Within) {
    this.#resolve = resolve;
    this.#dispatchAgain = dispatchAgain;
    this.#within = within;
    this.#timer = setTimeout(() => this.#expire(), exchangeMs);
    within.began(this);
  }

  /** Ends it where it stands; what the receiver has made of it is not known. */
  cut(): void {
    clearTimeout(this.#timer);
    this.#fail("connection");
    this.#controller?.abort(new Error("The exchange was broken off"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for a connection until its time was up, or the process was stopped for a while.
    if (this.#over || !this.#within.isHeld) controller.abort(new Error("The exchange is over"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    const asked = headers["retry-after"];
    this.#retryAfter = Array.isArray(asked) ? asked[0] : asked;
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
      this.#dispatchAgain();
      return;
    }
    clearTimeout(this.#timer);
    this.#fail(failureClass(error));
  }

  #expire(): void {
    this.#fail("timeout");
    this.#controller?.abort(new Error("The exchange took too long"));
  }

  #answer(): void {
    if (this.#over) return;
    this.#end();
    const status = this.#status ?? 0;
    const redirect = status >= 300 && status < 400;
    const ok = status >= 200 && status < 300;
    this.#resolve({ ...this.#received(), error: ok ? null : redirect ? "redirect" : "http" });
  }

  #fail(error: Delivery["error"]): void {
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
    return { status: this.#status, retryAfter: this.#retryAfter, text };
  }
}
