import { Errors, type Transit, type Transporters } from "moleculer";
import { createInbox, type Msg, type NatsConnection } from "nats";

export type Packet = Parameters<InstanceType<typeof Transporters.Base>["publish"]>[0];

/** How often nodes that owe an answer are pinged. */
const pingEveryMs = 1000;
const nodePrefix = "node_";

/**
 * Detects nodes that are gone. NATS itself answers a message that has no subscriber (`503 no responders`), seconds before
 * the heartbeats of a node are missing.
 */
export class FailureDetector {
  readonly #inbox = createInbox();
  readonly #transit: Transit;
  readonly #pinging: NodeJS.Timeout;
  readonly #missedAt = new Map<string, number>();

  constructor(nats: NatsConnection, transit: Transit) {
    this.#transit = transit;
    nats.subscribe(`${this.#inbox}.*`, { callback: (_error, message) => this.#onAnswer(message) });
    this.#pinging = setInterval(() => void this.#pingPendingNodes(), pingEveryMs);
  }

  close(): void {
    clearInterval(this.#pinging);
  }

  /** The subject on which NATS reports that a packet had no subscriber. */
  replyTo(packet: Packet | undefined): string | undefined {
    if (packet?.type === "REQ") return `${this.#inbox}.${packet.payload.id}`;
    if (packet?.type !== "PING" || !packet.target) return undefined;
    return `${this.#inbox}.${nodePrefix}${Buffer.from(packet.target).toString("base64url")}`;
  }

  async #pingPendingNodes(): Promise<void> {
    if (!this.#transit.tx.connected) return;
    const pending = new Set([...this.#transit.pendingRequests.values()].map(({ nodeID }) => nodeID));
    for (const nodeID of pending) await this.#transit.sendPing(nodeID);
  }

  #onAnswer({ subject, headers }: Msg): void {
    if (headers?.code !== 503) return;
    const token = subject.slice(this.#inbox.length + 1);
    if (token.startsWith(nodePrefix))
      this.#missed(Buffer.from(token.slice(nodePrefix.length), "base64url").toString());
    else this.#notTaken(token);
  }

  /** A single missing answer may be a short loss of the node's link. */
  #missed(nodeID: string): void {
    const now = performance.now();
    const before = this.#missedAt.get(nodeID) ?? Number.NEGATIVE_INFINITY;
    this.#missedAt.set(nodeID, now);
    if (now - before > 2 * pingEveryMs) return;
    this.#missedAt.delete(nodeID);
    this.#transit.discoverer.remoteNodeDisconnected(nodeID, true);
  }

  /** Rejects the call. The node gets no more calls until its next heartbeat. */
  #notTaken(requestId: string): void {
    const request = this.#transit.pendingRequests.get(requestId);
    if (request === undefined) return;
    const { nodeID, ctx, reject } = request;
    this.#transit.removePendingRequest(requestId);
    reject(new Errors.ServiceNotAvailableError({ action: ctx.action?.name ?? "", nodeID }));
    this.#transit.discoverer.remoteNodeDisconnected(nodeID, true);
  }
}

/** Other nodes consider a node dead after 3 s without a heartbeat. */
const stallMs = 2500;
const tickMs = 250;

/**
 * Detects that this process was stopped for so long that other nodes considered it dead. The calls that were sent to it
 * before it continued have failed or have been repeated elsewhere: to run them now would undo later ones.
 */
export class StallDetector {
  readonly #catchUp: () => Promise<unknown>;
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref();
  #tickedAt = performance.now();
  #isCatchingUp = false;

  /** `catchUp` resolves when everything that was sent before its call has arrived. */
  constructor(catchUp: () => Promise<unknown>) {
    this.#catchUp = catchUp;
  }

  /** Whether a message that arrives now may have been sent before the process continued. */
  isStale(): boolean {
    this.#tick();
    return this.#isCatchingUp;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    const hasStalled = now - this.#tickedAt > stallMs;
    this.#tickedAt = now;
    if (!hasStalled || this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    const done = () => {
      this.#isCatchingUp = false;
    };
    // It rejects without a link; then no earlier message can arrive either.
    this.#catchUp().then(done, done);
  }
}

/** Moleculer checks for missing heartbeats every 3 s. */
const dueMs = 3000;
const lateMs = 500;

/**
 * Skips Moleculer's checks for missing heartbeats that come late: a process that was busy or stopped has not yet read the
 * heartbeats of the other nodes, and would consider all of them dead.
 */
export function checkHeartbeatsOnTime({ discoverer }: Pick<Transit, "discoverer">): void {
  const check = discoverer.checkRemoteNodes.bind(discoverer);
  let checkedAt = performance.now();
  discoverer.checkRemoteNodes = () => {
    const now = performance.now();
    const isLate = now - checkedAt > dueMs + lateMs;
    checkedAt = now;
    if (!isLate) check();
  };
}
