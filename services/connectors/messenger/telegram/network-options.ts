import {
  type BaseTelegramClientOptions,
  networkMiddlewares,
  type RpcCallMiddleware,
  TcpTransport,
} from "@mtcute/node";
import { dialWithin } from "./dial-within.ts";
import type { TelegramSettings } from "./line.ts";

type Options = Pick<BaseTelegramClientOptions, "transport" | "network" | "defaultDcs">;
type DcOptions = NonNullable<Options["defaultDcs"]>;

const dialMs = 10_000;
/** Milliseconds for which a request waits for its answer. */
export const defaultAnswerMs = 15_000;

/** How the library reaches the network: with a limit to everything that it would wait for without end. */
export function networkOptions(
  { dc, answerMs = defaultAnswerMs }: Pick<TelegramSettings, "dc" | "answerMs">,
  closing: AbortSignal,
): Options {
  return {
    transport: dialWithin(new TcpTransport(), dialMs, closing),
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
 * Ends one attempt at a request that is not answered; waits that the network asked for lie between attempts. The
 * library's own time limit leaves its timer running.
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
