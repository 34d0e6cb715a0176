import { type Middleware, type ServiceBroker, Strategies } from "moleculer";
import { crawlPage, pollPage } from "../../services/contracts/page-reads.contract.ts";
import { scrape } from "../../services/contracts/scraper.contract.ts";

type Endpoint = Parameters<InstanceType<typeof Strategies.RoundRobin>["select"]>[0][number];

interface Packet {
  type: string;
  payload: { sender?: string; room?: unknown };
}

const announceAfterMs = 100;

/** How many calls by room each node could begin at once, as far as this node knows; below zero, so many wait there. */
class Rooms {
  readonly #broker: ServiceBroker;
  readonly #ofNodes = new WeakMap<object, number>();
  #announcing: NodeJS.Timeout | undefined;
  /** The room of this node; undefined when it has no service with such calls. */
  own: (() => number) | undefined;

  constructor(broker: ServiceBroker) {
    this.#broker = broker;
  }

  of({ node }: Endpoint): number {
    return this.#ofNodes.get(node) ?? Number.NEGATIVE_INFINITY;
  }

  /** Counts a call that is sent there, until the node announces its room again. */
  take({ node }: Endpoint): void {
    const room = this.#ofNodes.get(node);
    if (room !== undefined) this.#ofNodes.set(node, room - 1);
  }

  note({ sender = "", room }: Packet["payload"]): void {
    const node = this.#broker.registry.nodes.get(sender);
    if (node && typeof room === "number") this.#ofNodes.set(node, room);
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

const rooms = new WeakMap<ServiceBroker, Rooms>();

function roomsOf(broker: ServiceBroker): Rooms {
  const known = rooms.get(broker) ?? new Rooms(broker);
  rooms.set(broker, known);
  return known;
}

/** Announces the room of this node with its heartbeats. Call what it returns when the room has changed. */
export function offerRoom(broker: ServiceBroker, room: () => number): () => void {
  const own = roomsOf(broker);
  own.own = room;
  return () => own.announce();
}

/** Heartbeats carry the room of their node. Nodes without a browser send none. */
export function roomInHeartbeats(): Middleware {
  let own: Rooms;
  return {
    name: "RoomInHeartbeats",
    created(broker: ServiceBroker) {
      own = roomsOf(broker);
    },
    transitPublish: (next: (packet: Packet) => unknown) => (packet: Packet) => {
      if (packet.type === "HEARTBEAT" && own.own) packet.payload.room = own.own();
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
const byRoom = new Set([scrape, crawlPage, pollPage].map(({ name }) => name));

/** Round robin. Calls that may take a page go to the node with the most room, in turn among equals. */
export class RoomStrategy extends Strategies.RoundRobin {
  override select(list: Endpoint[]): Endpoint {
    const first = super.select(list);
    const { action } = first as Endpoint & { action?: { name: string } };
    if (action === undefined || !byRoom.has(action.name)) return first;
    const own = roomsOf(this.broker);
    const at = list.indexOf(first);
    const inTurn = [...list.slice(at), ...list.slice(0, at)];
    const chosen = inTurn.reduce((best, each) => (own.of(each) > own.of(best) ? each : best), first);
    own.take(chosen);
    return chosen;
  }
}
