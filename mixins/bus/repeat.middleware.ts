import { setTimeout as sleep } from "node:timers/promises";
import { type Context, Errors, type Middleware, type ServiceBroker } from "moleculer";

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
 * Moleculer's own measure of it lies outside.
 */
export function repeat(): Middleware {
  const tries = new WeakMap<Context, number>();
  let broker: ServiceBroker;
  return {
    name: "Repeat",
    created(owner: ServiceBroker) {
      broker = owner;
    },
    remoteAction(next: (ctx: Context) => Promise<unknown>, action: Known) {
      return async (ctx: Context) => {
        try {
          // Moleculer would find the same, and log each try as an error.
          if (!broker.transit?.tx.connected)
            throw new Errors.BrokerDisconnectedError("This node has no link to NATS.");
          return await next(ctx);
        } catch (error) {
          const tried = tries.get(ctx) ?? 0;
          const pauseMs = pausesMs[tried];
          if (pauseMs === undefined || !mayRepeat(error as BusError, action)) throw error;
          await sleep(pauseMs);
          const again = ctx.copy(ctx.endpoint as never) as Context;
          tries.set(again, tried + 1);
          return broker.call(action.name, ctx.params, { ctx: again } as never);
        }
      };
    },
  } as Middleware;
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
    // The node went away before it answered.
    case "REQUEST_REJECTED":
      return repeatable === true && data?.action === name;
    default:
      return false;
  }
}
