import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallingOptions,
  type Context,
  Errors,
  type Middleware,
  type Service,
  type ServiceBroker,
} from "moleculer";

/** Milliseconds before each further try; their sum outlasts a short loss of the link. */
const pausesMs = [50, 100, 200, 400, 800, 1000];

/** An action as the registry knows it; `repeatable` comes from its contract. */
interface Known {
  name: string;
  repeatable?: boolean;
}

interface BusError {
  type?: unknown;
  /** Where an error comes from that came over the bus. */
  nodeID?: unknown;
  data?: { action?: unknown } | null;
}

/**
 * Sends a call again, to another node if there is one, when its node is gone: any call that the node never began, and
 * a call of a repeatable action also where that is not known. All tries together stay within the call's timeout, since
 * Moleculer's own measure of it lies outside. A node that stops says the same of calls that it could not end in time.
 */
export function repeat(): Middleware {
  const repetitions = new WeakSet<Context>();
  const inHand: InHand = new Map();
  let broker: ServiceBroker;
  return {
    name: "Repeat",
    created(owner: ServiceBroker) {
      broker = owner;
    },
    remoteAction(next: (ctx: Context) => Promise<unknown>, action: Known) {
      return async (ctx: Context) => {
        if (repetitions.has(ctx)) return send(next, ctx);
        try {
          return await send(next, ctx);
        } catch (error) {
          return await again(action, error as BusError, () => {
            const repetition = ctx.copy(ctx.endpoint as never) as Context;
            repetition.options = withTimeLeft(ctx);
            repetitions.add(repetition);
            return broker.call(action.name, ctx.params, { ctx: repetition } as never);
          });
        }
      };
    },
    localAction(next: (ctx: Context) => Promise<unknown>, { repeatable }: Known) {
      if (!repeatable) return next;
      return (ctx: Context) => (ctx.nodeID === broker.nodeID ? next(ctx) : untilLetGo(next, ctx, inHand));
    },
    /** Moleculer has waited for the calls by then, and the service breaks off next what they need. */
    async serviceStopping(service: Service) {
      for (const [ctx, letGo] of inHand) if (ctx.service === service) letGo(lost(ctx, broker.nodeID));
    },
  } as Middleware;
}

/** A node that is to stop goes by how long it is waited for. */
function withTimeLeft({
  options,
  startHrTime,
}: Context & { startHrTime?: [number, number] | null }): CallingOptions {
  if (!options.timeout || !startHrTime) return options;
  const [seconds, nanoseconds] = process.hrtime(startHrTime);
  const left = options.timeout - seconds * 1e3 - nanoseconds / 1e6;
  return { ...options, timeout: Math.max(1, Math.ceil(left)) };
}

/** Calls from other nodes that this one works on, each with what ends it unanswered. */
type InHand = Map<Context, (error: Error) => void>;

async function untilLetGo(
  next: (ctx: Context) => Promise<unknown>,
  ctx: Context,
  inHand: InHand,
): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>();
  inHand.set(ctx, reject);
  try {
    return await Promise.race([next(ctx), promise]);
  } finally {
    inHand.delete(ctx);
  }
}

function lost({ action }: Context, nodeID: string): Error {
  return new Errors.RequestRejectedError({ action: action?.name ?? "", nodeID });
}

/** Without a link Moleculer would refuse the call, too, but log each as an error. */
function send(next: (ctx: Context) => Promise<unknown>, ctx: Context): Promise<unknown> {
  if (ctx.broker.transit?.tx.connected) return next(ctx);
  return Promise.reject(new Errors.BrokerDisconnectedError("This node has no link to NATS."));
}

/** Nodes that came back with the link may not be known again yet. */
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
    // The node takes no calls, as while it stops; an answer of a call that the action itself made names another.
    case "SERVICE_NOT_AVAILABLE":
    case "SERVICE_NOT_FOUND":
      return data?.action === name;
    // This node has no link: the call was not sent.
    case "BAD_GATEWAY":
      return nodeID === undefined;
    // The node went away, or goes, before it answered.
    case "REQUEST_REJECTED":
      return repeatable === true && data?.action === name;
    default:
      return false;
  }
}
