import type { Service, ServiceSchema } from "moleculer";

/** The lifecycle of a capability; `This` is the service together with what the mixin adds to it. */
interface Lifecycle<This> extends Omit<Partial<ServiceSchema>, "created" | "started" | "stopped"> {
  created?: (this: This) => void;
  started?: (this: This) => Promise<void>;
  stopped?: (this: This) => Promise<void>;
}

/** Types a mixin: Moleculer's own types know nothing of what a mixin adds to `this`. */
export function mixin<Added>(lifecycle: Lifecycle<Service & Added>): Partial<ServiceSchema> {
  return lifecycle as Partial<ServiceSchema>;
}
