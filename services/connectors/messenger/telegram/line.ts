import { BaseTelegramClient, type tl } from "@mtcute/node";
import type { DriverTools } from "../../social/social-connector.ts";
import { defaultAnswerMs, networkOptions } from "./network-options.ts";
import { openSession, type SessionPlace } from "./session.ts";
import { notLoggedIn, toFailure } from "./trouble.ts";

export interface TelegramSettings {
  /** Of the operator's application at my.telegram.org. */
  apiId: number;
  apiHash: string;
  /** Where `npm run telegram:login` keeps the account's session, sealed. */
  session: SessionPlace;
  masterSecret: string;
  /** Another data centre than Telegram's own; tests. */
  dc?: { host: string; port: number };
  /** Milliseconds for which a request waits for its answer. Default 15 s. */
  answerMs?: number;
}

type Result<T extends tl.RpcMethod> = tl.RpcCallReturn[T["_"]];

export interface CallOptions {
  signal: AbortSignal;
  /** Milliseconds that the network may ask to wait for this request; more is an error. Default 20 s. */
  patienceMs?: number;
}

const maxReconnectMs = 60_000;
const ownPatienceMs = 20_000;

/** The account's connection: opened when it is first needed, made again when it is lost, open until `close`. */
export class Line {
  readonly #settings: TelegramSettings;
  readonly #tools: DriverTools;
  #opening: Promise<BaseTelegramClient> | undefined;
  #closing = new AbortController();
  #isUp = false;
  #times = 0;
  #watchers = new Set<() => void>();
  #hear: ((updates: tl.TypeUpdates) => void) | undefined;

  constructor(settings: TelegramSettings, tools: DriverTools) {
    this.#settings = settings;
    this.#tools = tools;
  }

  /** Milliseconds for which anything waits that the network has to answer. */
  get answerMs(): number {
    return this.#settings.answerMs ?? defaultAnswerMs;
  }

  /** One request. Short waits that the network asks for are waited; errors are the client's, see `toFailure`. */
  async call<T extends tl.RpcMethod>(request: T, { signal, ...options }: CallOptions): Promise<Result<T>> {
    try {
      return await this.callRaw(request, { signal, ...options });
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error);
    }
  }

  /** The same with the network's own errors. */
  async callRaw<T extends tl.RpcMethod>(request: T, options: CallOptions): Promise<Result<T>> {
    options.signal.throwIfAborted();
    const client = await this.client();
    // Whoever asks while it waits to connect again need not wait with it.
    if (!this.#isUp) client.mt.network.notifyNetworkChanged(true);
    // The library takes the object as exactly the method's, which a generic caller cannot show.
    const call = client.call.bind(client) as (request: T, options: object) => Promise<Result<T>>;
    return await call(request, {
      abortSignal: AbortSignal.any([options.signal, this.#closing.signal]),
      floodSleepThreshold: options.patienceMs ?? ownPatienceMs,
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

  /** Whom the network tells its updates; undefined: nobody. */
  hear(listener: ((updates: tl.TypeUpdates) => void) | undefined): void {
    this.#hear = listener;
  }

  /** Resolves once the connection stands, with a number that is new each time it does. */
  async up(signal: AbortSignal): Promise<number> {
    const client = await this.client();
    await client.connect();
    await this.#until(() => this.#isUp, signal);
    return this.#times;
  }

  /** Resolves once that connection is lost. */
  async lost(time: number, signal: AbortSignal): Promise<void> {
    await this.#until(() => !this.#isUp || this.#times !== time, signal);
  }

  /** Ends requests and connection. The next request opens it again. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#closing.abort(new Error("the connection is closed"));
    this.#closing = new AbortController();
    this.#setUp(false);
    // One that never opened has nothing to close, and has told its caller why.
    const client = await opening?.catch(() => undefined);
    await client?.destroy();
  }

  async #open(): Promise<BaseTelegramClient> {
    const { apiId, apiHash, session, masterSecret } = this.#settings;
    const { signal: closing } = this.#closing;
    const storage = await openSession(session, masterSecret);
    const client = new BaseTelegramClient({
      apiId,
      apiHash,
      storage,
      ...networkOptions(this.#settings, closing),
      logLevel: 0,
      // Gaps are filled from the history, which needs nothing of people and of other chats.
      updates: false,
      storageOptions: { cleanup: false },
      reconnectionStrategy: ({ previousWait }) => this.#reconnectMs(previousWait),
    });
    client.onError.add(error => this.#tools.logger.warn("telegram.trouble", { error: error.message }));
    client.onServerUpdate.add(updates => this.#hear?.(updates));
    client.onConnectionState.add(state => {
      if (!closing.aborted) this.#setUp(state === "connected");
    });
    await client.prepare();
    const { main } = client.mt._defaultDcs;
    // Without a login the library would make a new key and wait for someone to log in with it.
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
