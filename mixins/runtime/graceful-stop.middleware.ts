import type { Middleware, Service, ServiceBroker, ServiceSchema } from "moleculer";
import { settledWithin, within } from "../async/timeout.ts";
import { logEvent } from "../log/log-events.ts";

type Hook = (this: Service) => unknown;

/** The time that a `started` hook still has when the process is to stop. */
const hookGraceMs = 5000;
/** All of a stop: beyond what draining and calls in flight may take, and below a pod's grace period of 40 s. */
const stopDeadlineMs = 35_000;
const never = new Promise<never>(() => undefined);

/**
 * Moleculer stops services while their `started` hooks still run, so that one hook closes what another one opens, and
 * stops them once more at each further signal. This middleware stops once: it waits for the hooks that run, and leaves
 * out those that have not begun and all that follows a start. A stop that takes longer than its deadline ends the process
 * with code 1: what is not handed back by then is found by the next start, as after a kill.
 */
export function stopInOrder(
  deadlineMs = stopDeadlineMs,
  end: (code: number) => void = process.exit,
): Middleware {
  const running = new Set<Promise<unknown>>();
  let stopping: Promise<void> | undefined;

  async function start(hook: Hook, service: Service): Promise<void> {
    if (stopping) return await never;
    const work = Promise.resolve(hook.call(service));
    running.add(work);
    try {
      await work;
    } finally {
      running.delete(work);
    }
    if (stopping) await never;
  }

  async function stopAfterHooks(stop: () => Promise<void>): Promise<void> {
    await settledWithin(hookGraceMs, running);
    await stop();
  }

  function giveUp({ logger }: ServiceBroker): void {
    logEvent(logger, "process_stop.failed", { seconds: deadlineMs / 1000 });
    end(1);
  }

  return {
    name: "StopInOrder",
    created(broker: ServiceBroker) {
      const stop = broker.stop.bind(broker);
      broker.stop = () => {
        stopping ??= within(deadlineMs, stopAfterHooks(stop), () => giveUp(broker));
        return stopping;
      };
    },
    async serviceStarting(service: Service) {
      const schema = service.schema as ServiceSchema & { started?: Hook | Hook[] };
      const hooks = [schema.started ?? []].flat() as Hook[];
      schema.started = hooks.map(
        hook =>
          function (this: Service) {
            return start(hook, this);
          },
      ) as never;
    },
  } as Middleware;
}

/** How long calls may still run although their callers have given up. */
const minShutdownMs = 1000;

/**
 * On a stop, services with a `drain` method finish first. Moleculer stops all services at once, so requests in flight
 * would lose the services that they still need. The rest of the stop has the time that draining has left.
 */
export const drainFirst: Middleware = {
  name: "DrainFirst",
  async stopping(broker: ServiceBroker) {
    const since = performance.now();
    await Promise.all(broker.services.map(service => (service as { drain?: () => Promise<void> }).drain?.()));
    const { tracking } = broker.options;
    const left = (tracking?.shutdownTimeout ?? 0) - (performance.now() - since);
    if (tracking) tracking.shutdownTimeout = Math.max(minShutdownMs, Math.round(left));
  },
};
