import { networkMiddlewares, type RpcCallMiddleware, type TelegramTransport } from "@mtcute/core";
import type { BaseTelegramClientOptions } from "@mtcute/core/client.js";
import { tcpTransport } from "./node-platform.ts";

export interface NetworkSettings {
  /** A data centre in place of Telegram's own, for tests. */
  dc?: { host: string; port: number };
  /** Milliseconds for which a request waits for its answer. Default 15 s. */
  answerMs?: number;
}

type Options = Pick<BaseTelegramClientOptions, "transport" | "network" | "defaultDcs">;
type DcOptions = NonNullable<Options["defaultDcs"]>;

const dialMs = 10_000;
/** Milliseconds to wait for the answer to a request. */
export const defaultAnswerMs = 15_000;

/** The library's network options, with a timeout for everything that it would wait for without limit. */
export function networkOptions(
  { dc, answerMs = defaultAnswerMs }: NetworkSettings,
  closing: AbortSignal,
): Options {
  return {
    transport: dialWithin(tcpTransport, dialMs, closing),
    network: {
      middlewares: [
        networkMiddlewares.floodWaiter({}),
        answerWithin(answerMs),
        networkMiddlewares.internalErrorsHandler({}),
      ],
      ...(dc && { floodControl: false }),
    },
    ...(dc && { defaultDcs: ownDc(dc) }),
  };
}

/**
 * Times out one attempt of a request. Waits that the network asks for are between attempts and do not count. The library's
 * own timeout leaves its timer running.
 */
function answerWithin(ms: number): RpcCallMiddleware {
  return async (attempt, next) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms} ms`)), ms);
    const signals = [late.signal, ...(attempt.params?.abortSignal ? [attempt.params.abortSignal] : [])];
    try {
      return await next({ ...attempt, params: { ...attempt.params, abortSignal: AbortSignal.any(signals) } });
    } finally {
      clearTimeout(timer);
    }
  };
}

function ownDc({ host, port }: { host: string; port: number }): DcOptions {
  const dc = { id: 2, ipAddress: host, port };
  return { main: dc, media: dc };
}

type Connection = Awaited<ReturnType<TelegramTransport["connect"]>>;

/** The transport with a connect timeout; the library alone would wait as long as the operating system does. */
export function dialWithin(transport: TelegramTransport, ms: number, signal: AbortSignal): TelegramTransport {
  return {
    packetCodec: dc => transport.packetCodec(dc),
    connect: dc => connectWithin(transport.connect(dc), ms, signal),
  };
}

async function connectWithin(
  dialling: Promise<Connection>,
  ms: number,
  signal: AbortSignal,
): Promise<Connection> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error(`no connection within ${ms} ms`));
  const timer = setTimeout(giveUp, ms);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([dialling, late]);
  } catch (error) {
    // Close a connection that still opens after the timeout. If it fails, there is nothing to do.
    dialling.then(
      connection => connection.close(),
      () => undefined,
    );
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
