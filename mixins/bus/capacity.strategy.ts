import { type Middleware, type ServiceBroker, Strategies } from "moleculer";
import { crawlPage, pollPage } from "../../services/contracts/page-reads.contract.ts";
import { scrape } from "../../services/contracts/scraper.contract.ts";

type Endpoint = Parameters<InstanceType<typeof Strategies.RoundRobin>["select"]>[0][number];

interface Packet {
  type: string;
  payload: { sender?: string; capacity?: unknown };
}

const announceAfterMs = 100;

/** How many calls that take a page each node could begin at once, as far as this node knows; below zero, so many wait there. */
class Capacities {
  readonly #broker: ServiceBroker;
  readonly #ofNodes = new WeakMap<object, number>();
  #announcing: NodeJS.Timeout | undefined;
  /** The capacity of this node; undefined when it has no service with such calls. */
  own: (() => number) | undefined;

  constructor(broker: ServiceBroker) {
    this.#broker = broker;
  }

  of({ node }: Endpoint): number {
    return this.#ofNodes.get(node) ?? Number.NEGATIVE_INFINITY;
  }

  /** Counts a call that is sent there, until the node announces its capacity again. */
  take({ node }: Endpoint): void {
    const capacity = this.#ofNodes.get(node);
    if (capacity !== undefined) this.#ofNodes.set(node, capacity - 1);
  }

  note({ sender = "", capacity }: Packet["payload"]): void {
    const node = this.#broker.registry.nodes.get(sender);
    if (node && typeof capacity === "number") this.#ofNodes.set(node, capacity);
  }

  /** Sends a heartbeat soon, before the next one is due. */
  announce(): void {
    const { transit } = this.#broker;
    if (!transit) return;
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined;
      void transit.discoverer.sendHeartbeat();
    }, announceAfterMs).unref();
  }
}

const capacities = new WeakMap<ServiceBroker, Capacities>();

function capacitiesOf(broker: ServiceBroker): Capacities {
  const known = capacities.get(broker) ?? new Capacities(broker);
  capacities.set(broker, known);
  return known;
}

/** Announces the capacity of this node with its heartbeats. Call what it returns when the capacity has changed. */
export function announceCapacity(broker: ServiceBroker, capacity: () => number): () => void {
  const own = capacitiesOf(broker);
  own.own = capacity;
  return () => own.announce();
}

/** Heartbeats carry the capacity of their node. Nodes without a browser send none. */
export function capacityInHeartbeats(): Middleware {
  let own: Capacities;
  return {
    name: "CapacityInHeartbeats",
    created(broker: ServiceBroker) {
      own = capacitiesOf(broker);
    },
    transitPublish: (next: (packet: Packet) => unknown) => (packet: Packet) => {
      if (packet.type === "HEARTBEAT" && own.own) packet.payload.capacity = own.own();
      return next(packet);
    },
    transitMessageHandler:
      (next: (type: string, packet: Packet) => unknown) => (type: string, packet: Packet) => {
        if (type === "HEARTBEAT") own.note(packet.payload);
        return next(type, packet);
      },
  } as unknown as Middleware;
}

/** Calls that take a page of the browser, or may. */
const byCapacity = new Set([scrape, crawlPage, pollPage].map(({ name }) => name));

/** Round robin. Calls that may take a page go to the node with the most capacity, one after another among equals. */
export class CapacityStrategy extends Strategies.RoundRobin {
  override select(list: Endpoint[]): Endpoint {
    const first = super.select(list);
    const { action } = first as Endpoint & { action?: { name: string } };
    if (action === undefined || !byCapacity.has(action.name)) return first;
    const own = capacitiesOf(this.broker);
    const at = list.indexOf(first);
    const rotated = [...list.slice(at), ...list.slice(0, at)];
    const chosen = rotated.reduce((best, each) => (own.of(each) > own.of(best) ? each : best), first);
    own.take(chosen);
    return chosen;
  }
}
