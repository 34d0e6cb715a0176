import type { ServiceBroker } from "moleculer";
import {
  type ActivityKind,
  type ActivitySeries,
  activityKinds,
  activityMinutes,
} from "../../services/contracts/overview.contract.ts";

const minuteMs = 60_000;

/** What a process has done, by minute over the last hour. A restart begins again from zero. */
export class Activity {
  readonly #now: () => number;
  readonly #rings = new Map(activityKinds.map(kind => [kind, new Array<number>(activityMinutes).fill(0)]));
  /** Minutes since the epoch: the last minute that the rings hold. */
  #minute: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#minute = minuteOf(now());
  }

  add(kind: ActivityKind, count = 1): void {
    this.#advance();
    const ring = this.#rings.get(kind);
    const at = this.#minute % activityMinutes;
    if (ring) ring[at] = (ring[at] ?? 0) + count;
  }

  /** The last hour, oldest minute first; `minute` (since the epoch) is that of the last numbers, which still grow. */
  lastHour(): { minute: number; series: ActivitySeries } {
    this.#advance();
    const first = (this.#minute + 1) % activityMinutes;
    const inOrder = (ring: number[]) => [...ring.slice(first), ...ring.slice(0, first)];
    const series = Object.fromEntries([...this.#rings].map(([kind, ring]) => [kind, inOrder(ring)]));
    return { minute: this.#minute, series: series as ActivitySeries };
  }

  /** Clears the minutes that have begun since. When the clock was set back, the present minute continues. */
  #advance(): void {
    const minute = minuteOf(this.#now());
    const from = Math.max(this.#minute + 1, minute - activityMinutes + 1);
    for (let each = from; each <= minute; each += 1)
      for (const ring of this.#rings.values()) ring[each % activityMinutes] = 0;
    this.#minute = Math.max(this.#minute, minute);
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs);
}

const byBroker = new WeakMap<ServiceBroker, Activity>();

/** What the services of a node have done. */
export function activityOf(broker: ServiceBroker): Activity {
  const activity = byBroker.get(broker) ?? new Activity();
  byBroker.set(broker, activity);
  return activity;
}
