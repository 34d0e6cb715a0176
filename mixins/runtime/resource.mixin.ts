import type { ServiceBroker, ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/service.ts";
import { type LogEvent, logEvent } from "../log/log-events.ts";

interface Closable {
  close(): Promise<void> | void;
}

/**
 * A capability that a service opens when it starts and closes when it stops. `With` declares its accessor on `this`, which
 * is `accessor`. `open` reports errors of its connection to `onError`; they are logged as the event `failed`.
 */
export function resourceMixin<With>(
  accessor: keyof With & string,
  failed: LogEvent,
  open: (
    onError: (error: unknown) => void,
    broker: ServiceBroker,
  ) => Promise<Closable & With[keyof With & string]>,
): Partial<ServiceSchema> {
  let opened: Closable | undefined;
  return mixin<object>({
    async started() {
      const onError = (error: unknown) => logEvent(this.logger, failed, { error });
      opened = await open(onError, this.broker);
      Object.assign(this, { [accessor]: opened });
    },
    async stopped() {
      await opened?.close();
      opened = undefined;
      Object.assign(this, { [accessor]: undefined });
    },
  });
}
