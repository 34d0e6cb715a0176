import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallingOptions,
  type Context,
  Errors,
  type Middleware,
  type Service,
  type ServiceBroker,
} from "moleculer";

/** Milliseconds before each retry; their sum outlasts a short loss of the link. */
const pausesMs = [50, 100, 200, 400, 800, 1000];

/** An action as the registry knows it; `repeatable` comes from its contract. */
interface Known {
  name: string;
  repeatable?: true | "by caller";
}

interface BusError {
  type?: unknown;
  /** The node that an error of the bus comes from. */
  nodeID?: unknown;
  data?: { action?: unknown } | null;
}

const retries = new WeakSet<Context>();

/** Whether a call is a further try of another one, which waits for it. */
export function isRetry(ctx: Context): boolean {
  return retries.has(ctx);
}

/**
 * Retries a call whose node is gone, on another node if there is one: any call that the node never began, and a call of a
 * repeatable action also where that is not known. All tries together stay within the call's timeout, which
 * `superviseCalls` sets around this middleware. A node that stops rejects the calls that it could not finish in the same
 * way. Moleculer's own retry restarts the timeout on each try, and cannot tell a call that began from one that did not.
 */
export function repeat(): Middleware {
  const running: RunningCalls = new Map();
  let broker: ServiceBroker;
  return {
    name: "Repeat",
    created(owner: ServiceBroker) {
      broker = owner;
    },
    remoteAction(next: (ctx: Context) => Promise<unknown>, action: Known) {
      return async (ctx: Context) => {
        if (isRetry(ctx)) return send(next, ctx);
        try {
          return await send(next, ctx);
        } catch (error) {
          return await again(action, error as BusError, () => {
            const retry = ctx.copy(ctx.endpoint as never) as Context;
            retry.options = withTimeLeft(ctx);
            retries.add(retry);
            return broker.call(action.name, ctx.params, { ctx: retry } as never);
          });
        }
      };
    },
    localAction(next: (ctx: Context) => Promise<unknown>, { repeatable }: Known) {
      if (!repeatable) return next;
      return (ctx: Context) => (ctx.nodeID === broker.nodeID ? next(ctx) : untilRejected(next, ctx, running));
    },
    /** `superviseCalls` has waited for the calls by now, and the service closes next what they need. */
    async serviceStopping(service: Service) {
      for (const [ctx, reject] of running) if (ctx.service === service) reject(lost(ctx, broker.nodeID));
    },
  } as Middleware;
}

/** The options with the time that is left: a node that stops waits for a call no longer than its caller does. */
function withTimeLeft({ options, startHrTime }: Context): CallingOptions {
  if (!options.timeout || !startHrTime) return options;
  const [seconds, nanoseconds] = process.hrtime(startHrTime);
  const left = options.timeout - seconds * 1e3 - nanoseconds / 1e6;
  return { ...options, timeout: Math.max(1, Math.ceil(left)) };
}

/** Calls from other nodes that this one runs, each with the function that rejects it. */
type RunningCalls = Map<Context, (error: Error) => void>;

async function untilRejected(
  next: (ctx: Context) => Promise<unknown>,
  ctx: Context,
  running: RunningCalls,
): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>();
  running.set(ctx, reject);
  try {
    return await Promise.race([next(ctx), promise]);
  } finally {
    running.delete(ctx);
  }
}

function lost({ action }: Context, nodeID: string): Error {
  return new Errors.RequestRejectedError({ action: action?.name ?? "", nodeID });
}

/** Rejects a call without a link. Moleculer would do so too, but log each as an error. */
function send(next: (ctx: Context) => Promise<unknown>, ctx: Context): Promise<unknown> {
  if (ctx.broker.transit?.tx.connected) return next(ctx);
  return Promise.reject(new Errors.BrokerDisconnectedError("This node has no link to NATS."));
}

/** Waits before each try: after a loss of the link the other nodes are not known at once. */
async function again(action: Known, first: BusError, call: () => Promise<unknown>): Promise<unknown> {
  let error = first;
  for (const pauseMs of pausesMs) {
    if (!mayRepeat(error, action)) break;
    await sleep(pauseMs);
    try {
      return await call();
    } catch (thrown) {
      error = thrown as BusError;
    }
  }
  throw error;
}

function mayRepeat({ type, nodeID, data }: BusError, { name, repeatable }: Known): boolean {
  switch (type) {
    // The node takes no calls, for example while it stops. An error of a call inside the action names another action.
    case "SERVICE_NOT_AVAILABLE":
    case "SERVICE_NOT_FOUND":
      return data?.action === name;
    // This node has no link: the call was not sent, or it is repeatable and was given up.
    case "BAD_GATEWAY":
      return nodeID === undefined;
    // The node went away, or stops, before it answered.
    case "REQUEST_REJECTED":
      return repeatable === true && data?.action === name;
    default:
      return false;
  }
}
