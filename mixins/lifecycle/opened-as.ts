import type { ServiceBroker, ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";

interface Closable {
  close(): Promise<void> | void;
}

/**
 * A capability that a service opens at its start and closes at its end; the accessor is `this.<name>`. `open` tells
 * `onError` of what hinders it, which is logged as `<topic>.hindered`.
 */
export function openedAs<Name extends string, Opened extends Closable>(
  name: Name,
  topic: string,
  open: (onError: (error: unknown) => void, broker: ServiceBroker) => Promise<Opened>,
): Partial<ServiceSchema> {
  return mixin<Record<string, unknown>>({
    async started() {
      const onError = (error: unknown) => this.logger.error(`${topic}.hindered`, { error });
      this[name] = await open(onError, this.broker);
    },
    async stopped() {
      await (this[name] as Opened | undefined)?.close();
      this[name] = undefined;
    },
  });
}
