import type { tl } from "@mtcute/core";
import { BaseTelegramClient } from "@mtcute/core/client.js";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import { defaultAnswerMs, type NetworkSettings, networkOptions } from "./connection.ts";
import { notLoggedIn, toConnectorError } from "./errors.ts";
import { onNode } from "./node-platform.ts";
import { openStoredSession, type SessionStore } from "./stored-session.ts";

export interface TelegramSettings extends NetworkSettings {
  /** The operator's application at my.telegram.org. */
  apiId: number;
  apiHash: string;
  /** Where `npx magpie telegram:login` stores the sealed session of the account. */
  session: SessionStore;
  masterSecret: string;
}

type Result<T extends tl.RpcMethod> = tl.RpcCallReturn[T["_"]];

export interface CallOptions {
  signal: AbortSignal;
  /** Milliseconds that the network may ask to wait before this request; more is an error. Default 20 s. */
  maxFloodWaitMs?: number;
}

const maxReconnectMs = 60_000;
const defaultFloodWaitMs = 20_000;

/** The session of the account: connects when it is first needed, reconnects when the connection is lost, until `close`. */
export class TelegramSession {
  readonly #settings: TelegramSettings;
  readonly #tools: DriverTools;
  #opening: Promise<BaseTelegramClient> | undefined;
  #closing = new AbortController();
  #isUp = false;
  #times = 0;
  #watchers = new Set<() => void>();
  #listener: ((updates: tl.TypeUpdates) => void) | undefined;

  constructor(settings: TelegramSettings, tools: DriverTools) {
    this.#settings = settings;
    this.#tools = tools;
  }

  /** Milliseconds to wait for any answer of the network. */
  get answerMs(): number {
    return this.#settings.answerMs ?? defaultAnswerMs;
  }

  /** Sends one request. Waits as long as the network asks, up to a limit; throws the errors of `toConnectorError`. */
  async call<T extends tl.RpcMethod>(request: T, { signal, ...options }: CallOptions): Promise<Result<T>> {
    try {
      return await this.callRaw(request, { signal, ...options });
    } catch (error) {
      signal.throwIfAborted();
      throw toConnectorError(error);
    }
  }

  /** Like `call`, but throws the network's own errors. */
  async callRaw<T extends tl.RpcMethod>(request: T, options: CallOptions): Promise<Result<T>> {
    options.signal.throwIfAborted();
    const client = await this.client();
    // A request must not wait for the library's next attempt to reconnect.
    if (!this.#isUp) client.mt.network.notifyNetworkChanged(true);
    // The library wants the exact type of the method, which a generic caller cannot prove.
    const call = client.call.bind(client) as (request: T, options: object) => Promise<Result<T>>;
    return await call(request, {
      abortSignal: AbortSignal.any([options.signal, this.#closing.signal]),
      floodSleepThreshold: options.maxFloodWaitMs ?? defaultFloodWaitMs,
    });
  }

  async client(): Promise<BaseTelegramClient> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    return await opening.catch(error => {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    });
  }

  /** Sets the listener of the network's updates; undefined removes it. */
  onUpdates(listener: ((updates: tl.TypeUpdates) => void) | undefined): void {
    this.#listener = listener;
  }

  /** Resolves once connected, with a number that changes with every connection. */
  async connected(signal: AbortSignal): Promise<number> {
    const client = await this.client();
    await client.connect();
    await this.#until(() => this.#isUp, signal);
    return this.#times;
  }

  /** Resolves once that connection is lost. */
  async disconnected(time: number, signal: AbortSignal): Promise<void> {
    await this.#until(() => !this.#isUp || this.#times !== time, signal);
  }

  /** Aborts requests and closes the connection. The next request opens it again. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#closing.abort(new Error("the connection is closed"));
    this.#closing = new AbortController();
    this.#setUp(false);
    // A client that never opened has nothing to close, and its caller has the error.
    const client = await opening?.catch(() => undefined);
    await client?.destroy();
  }

  async #open(): Promise<BaseTelegramClient> {
    const { apiId, apiHash, session, masterSecret } = this.#settings;
    const { signal: closing } = this.#closing;
    const storage = await openStoredSession(session, masterSecret);
    const client = new BaseTelegramClient({
      apiId,
      apiHash,
      storage,
      ...onNode(),
      ...networkOptions(this.#settings, closing),
      // Gaps are filled from the history, which needs no updates of people and other chats.
      updates: false,
      storageOptions: { cleanup: false },
      reconnectionStrategy: ({ previousWait }) => this.#reconnectMs(previousWait),
    });
    client.onError.add(error =>
      logEvent(this.#tools.logger, "telegram_client.failed", { error: error.message }),
    );
    client.onServerUpdate.add(updates => this.#listener?.(updates));
    client.onConnectionState.add(state => {
      if (!closing.aborted) this.#setUp(state === "connected");
    });
    await client.prepare();
    const { main } = client.mt._defaultDcs;
    // Without a login the library would create a new key and wait for a login with it.
    if (!(await storage.authKeys.get(main.id)) || !client.storage.self.getCached(true)) {
      await client.destroy();
      throw notLoggedIn();
    }
    return client;
  }

  #reconnectMs(previous: number | null): number {
    const { reconnectMs, random } = this.#tools;
    const grown = previous === null ? reconnectMs : Math.min(maxReconnectMs, previous * 2);
    return Math.ceil(grown * (0.8 + 0.2 * random()));
  }

  #setUp(isUp: boolean): void {
    if (isUp === this.#isUp) return;
    this.#isUp = isUp;
    if (isUp) this.#times += 1;
    for (const changed of this.#watchers) changed();
  }

  async #until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    while (!condition()) {
      signal.throwIfAborted();
      await this.#change(signal);
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        this.#watchers.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#watchers.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
