import { randomBytes } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import { fail } from "../../contracts/errors.ts";
import { type McpSessionChanged, mcpSessionChanged } from "../../contracts/events.ts";
import type { EventReading } from "../streams/read-events.ts";
import { startOf, type Target, targetOf } from "./resource-uris.ts";
import { ResourceWatch, type Update } from "./watch-resources.ts";

/*
 * The revisions of 2025 tell a client of changes on a stream of its own, and take its subscriptions by other requests,
 * perhaps at another gateway. So each gateway knows the sessions of all, by broadcasts; the one that has the stream watches.
 */

/** A client's connection for notifications. */
export interface Wire {
  tell(update: Update): void;
  end(): void;
}

interface Session {
  keyId: string;
  targets: Map<string, Target>;
  /** Set while this gateway has the client's stream. */
  open: { watch: ResourceWatch; wire: Wire } | undefined;
  /** Unix milliseconds. */
  usedAt: number;
}

interface Options {
  broker: Pick<ServiceBroker, "broadcast" | "nodeID">;
  reading(): Pick<EventReading, "log" | "registry">;
  onError(error: unknown): void;
  now(): number;
}

/** Sessions and streams of a key at a time; of more sessions, the one that was used least recently is forgotten. */
const mostPerKey = 50;
/** How long a session lasts without a stream. */
const idleMs = 24 * 3_600_000;

/** The sessions of clients of 2025. They are lost with the process; a client then begins a new one, as the protocol says. */
export class McpSessions {
  readonly #sessions = new Map<string, Session>();
  /** The open ones by key, of both revisions. */
  readonly #watches = new Map<string, Set<ResourceWatch>>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Watches for a client of either revision; throws where the key has as many open as it may. */
  watch(keyId: string, { tell, end }: Wire): ResourceWatch {
    const ofKey = this.#watches.get(keyId) ?? new Set<ResourceWatch>();
    if (ofKey.size >= mostPerKey)
      throw fail("key_limit_reached", `At most ${mostPerKey} clients of a key may be subscribed at a time.`);
    const { onError } = this.#options;
    const closed = () => {
      ofKey.delete(watch);
      if (ofKey.size === 0) this.#watches.delete(keyId);
    };
    const reading = this.#options.reading();
    const watch = new ResourceWatch({ reading, keyId, tell, end, closed, onError });
    this.#watches.set(keyId, ofKey.add(watch));
    return watch;
  }

  /** Begins a session of a key, and answers with its id. */
  begin(keyId: string): string {
    const id = randomBytes(16).toString("base64url");
    this.#change({ what: "begun", id, keyId });
    return id;
  }

  has(keyId: string, id: string): boolean {
    return this.#of(keyId, id) !== undefined;
  }

  /** Opens the client's stream, in place of an earlier one. False where there is no such session. */
  async open(keyId: string, id: string, wire: Wire): Promise<boolean> {
    const session = this.#of(keyId, id);
    if (!session) return false;
    this.#closeStream(session);
    const watch = this.watch(keyId, {
      tell: update => this.#tell(session, wire, update),
      end: () => wire.end(),
    });
    session.open = { watch, wire };
    for (const target of session.targets.values()) await watch.add(target);
    return true;
  }

  /** The client has left its stream; its subscriptions stay for the next one. */
  left(keyId: string, id: string, wire: Wire): void {
    const session = this.#of(keyId, id);
    if (session?.open?.wire !== wire) return;
    session.open.watch.close();
    session.open = undefined;
    session.usedAt = this.#options.now();
  }

  /** Subscribes from the position of the address on, else from now on, whether or not there is a stream yet. */
  async subscribe(keyId: string, id: string, target: Target): Promise<number | undefined> {
    const after = startOf(target, await this.#options.reading().log.bounds(keyId));
    if (after !== undefined) this.#change({ what: "subscribed", id, keyId, uri: target.uri, after });
    return after;
  }

  unsubscribe(keyId: string, id: string, uri: string): void {
    this.#change({ what: "unsubscribed", id, keyId, uri });
  }

  /** How many resources a session has subscribed to. */
  targets(keyId: string, id: string): number {
    return this.#of(keyId, id)?.targets.size ?? 0;
  }

  finish(keyId: string, id: string): void {
    this.#change({ what: "ended", id, keyId });
  }

  /** Takes what a request has changed at another gateway. */
  heard({ by, ...change }: McpSessionChanged): void {
    if (by !== this.#options.broker.nodeID) this.#apply(change);
  }

  #change(change: Omit<McpSessionChanged, "by">): void {
    this.#apply(change);
    const { broker } = this.#options;
    void broker.broadcast(mcpSessionChanged.name, {
      ...change,
      by: broker.nodeID,
    } satisfies McpSessionChanged);
  }

  #apply({ what, id, keyId, uri, after }: Omit<McpSessionChanged, "by">): void {
    if (what === "begun") this.#begin(keyId, id);
    const session = this.#of(keyId, id);
    if (!session) return;
    session.usedAt = this.#options.now();
    const target = uri === undefined ? undefined : targetOf(uri);
    if (what === "subscribed" && target) {
      const from = { ...target, after };
      session.targets.set(target.uri, from);
      void session.open?.watch.add(from).catch(this.#options.onError);
    }
    if (what === "unsubscribed" && target) {
      session.targets.delete(target.uri);
      session.open?.watch.remove(target.uri);
    }
    if (what === "ended") this.#forget(keyId, id);
  }

  #begin(keyId: string, id: string): void {
    const now = this.#options.now();
    const ofKey: [string, Session][] = [];
    for (const entry of this.#sessions) {
      const [name, each] = entry;
      if (!each.open && each.usedAt < now - idleMs) this.#sessions.delete(name);
      else if (each.keyId === keyId) ofKey.push(entry);
    }
    // A map keeps the order in which they began.
    const oldest = ofKey.find(([, each]) => !each.open) ?? ofKey[0];
    if (ofKey.length >= mostPerKey && oldest) this.#end(oldest);
    this.#sessions.set(nameOf(keyId, id), { keyId, targets: new Map(), open: undefined, usedAt: now });
  }

  /** A next stream begins behind what was told: only what was not told comes again. */
  #tell(session: Session, wire: Wire, update: Update): void {
    const target = session.targets.get(update.uri);
    if (target) session.targets.set(update.uri, { ...target, after: update.seq });
    wire.tell(update);
  }

  #of(keyId: string, id: string): Session | undefined {
    return this.#sessions.get(nameOf(keyId, id));
  }

  #forget(keyId: string, id: string): void {
    const session = this.#of(keyId, id);
    if (session) this.#end([nameOf(keyId, id), session]);
  }

  #end([name, session]: [string, Session]): void {
    this.#closeStream(session);
    this.#sessions.delete(name);
  }

  #closeStream(session: Session): void {
    session.open?.watch.close();
    session.open?.wire.end();
    session.open = undefined;
  }
}

/** A session is its key's alone: another key that learned its id has no such session. */
function nameOf(keyId: string, id: string): string {
  return `${keyId} ${id}`;
}
