import type { EventEmitter as NodeEmitter } from "node:events";
import type {
  Browser,
  BrowserContext,
  BrowserContextEvents,
  BrowserEvents,
  CDPSession,
  CDPSessionEvents,
  Connection,
  Page,
  PageEvents,
} from "puppeteer";

/** Takes what a listener throws, or rejects with. */
export type OnError = (error: unknown) => void;

type Source = Browser | BrowserContext | CDPSession | NodeEmitter | Page;

type EventsOf<Emitter extends Source> = Emitter extends Page
  ? PageEvents
  : Emitter extends CDPSession
    ? CDPSessionEvents
    : Emitter extends BrowserContext
      ? BrowserContextEvents
      : Emitter extends Browser
        ? BrowserEvents
        : Record<string, never>;

/**
 * Subscribes to events of the browser, of its pages and of its process; returns the function that unsubscribes. This is
 * the only way to do so (test/architecture). An emitter calls its listeners from the browser's pipe, where nothing
 * catches what they throw: a page could end the service with an event that a listener does not expect.
 */
export function listen<Emitter extends Source, Name extends string & keyof EventsOf<Emitter>>(
  emitter: Emitter,
  name: Name,
  onError: OnError,
  listener: (event: EventsOf<Emitter>[Name]) => unknown,
): () => void {
  const guarded = (event: unknown) => {
    attempt(() => listener(event as EventsOf<Emitter>[Name])).catch(onError);
  };
  const source = emitter as NodeEmitter;
  source.on(name, guarded);
  return () => void source.off(name, guarded);
}

/** Runs at once what may throw or reject; the promise has either. */
async function attempt(work: () => unknown): Promise<void> {
  await work();
}

interface Receiver {
  onMessage(this: Connection, message: string): Promise<void>;
}

const guards = new WeakMap<Connection, OnError>();
let guarding: Promise<void> | undefined;

/**
 * For `guardedConnection`, before a browser is launched. Puppeteer drops a promise that rejects with what its own
 * listeners throw, and nothing would handle that.
 */
export function guardConnections(): Promise<void> {
  guarding ??= import("puppeteer").then(({ Connection }) => {
    const receiver = Connection.prototype as unknown as Receiver;
    const { onMessage } = receiver;
    receiver.onMessage = function (message) {
      const onError = guards.get(this);
      return onError === undefined
        ? onMessage.call(this, message)
        : onMessage.call(this, message).catch(onError);
    };
  });
  return guarding;
}

/** The browser's connection. Passes what Puppeteer itself throws while it handles a message to `onError`. */
export async function guardedConnection(browser: Browser, onError: OnError): Promise<Connection> {
  const session = await browser.target().createCDPSession();
  const connection = session.connection();
  if (connection === undefined) throw new Error("the browser has no connection");
  guards.set(connection, onError);
  await session.detach();
  return connection;
}
