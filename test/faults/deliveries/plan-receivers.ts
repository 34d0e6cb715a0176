import type { DeliveryOptions } from "../../../services/domain/delivery/delivery-options.ts";
import type { Promised } from "./oracle.ts";

/** How an endpoint behaves until it is healed. */
export const kinds = [
  /** Takes everything at once. */
  "steady",
  /** Fails, resets, throttles or hangs one time in four. */
  "moody",
  /** Refuses the first attempt of one request in ten with 500. */
  "tenth",
  /** Refuses everything for some seconds, again and again. */
  "outage",
  /** Takes everything after 50 ms. */
  "late",
  /** Answers the first attempt of one request in five with 429 and a Retry-After. */
  "throttle",
  /** Refuses the first attempt of one request in fifty with 500. */
  "fiftieth",
  /** Never answers the first attempt of one request in ten. */
  "hang",
] as const;
export type Kind = (typeof kinds)[number];

export const modes = ["conversation", "none", "batch"] as const;
export type Mode = (typeof modes)[number];

const manners: Record<Mode, Partial<DeliveryOptions>> = {
  conversation: {},
  none: { ordering: "none" },
  batch: { batch: { max_events: 20, max_wait_ms: 200 } },
};

/** Each kind in each mode, in turns. */
export function modeOf(key: number): Mode {
  return modes[key % modes.length] ?? "conversation";
}

export function kindOf(key: number): Kind {
  return kinds[Math.floor(key / modes.length) % kinds.length] ?? "steady";
}

export function promisedTo(key: number): Promised {
  return {
    mode: modeOf(key),
    isHealthy: isHealthy(key),
    refusesOnce: refusesOnce(key),
    staysActive: staysActive(key),
  };
}

/** What `POST /webhook` gets beside the URL. */
export function mannerOf(key: number): Partial<DeliveryOptions> {
  return manners[modeOf(key)];
}

/** Each attempt is taken, so that arrivals are in the order of the attempts. */
function isHealthy(key: number): boolean {
  return kindOf(key) === "steady" || kindOf(key) === "late";
}

/** No event is refused twice, so that the events of a conversation are taken in order. */
function refusesOnce(key: number): boolean {
  return isHealthy(key) || ["tenth", "throttle", "fiftieth", "hang"].includes(kindOf(key));
}

/** Its failures are too few, or its outages too short, for it to be FAILED. */
function staysActive(key: number): boolean {
  return refusesOnce(key) || kindOf(key) === "outage";
}
