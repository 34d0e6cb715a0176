import { Errors, type Transit, type Transporters } from "moleculer";
import { createInbox, type Msg, type NatsConnection } from "nats";

export type Packet = Parameters<InstanceType<typeof Transporters.Base>["publish"]>[0];

/** How often nodes that owe an answer are asked whether they are there. */
const askEveryMs = 1000;
const asked = "node_";

/**
 * Learns of nodes that are gone. NATS itself answers a question that nobody listens to, seconds before the heartbeats of
 * a node are missed.
 */
export class Unheard {
  readonly #inbox = createInbox();
  readonly #transit: Transit;
  readonly #asking: NodeJS.Timeout;
  readonly #missedAt = new Map<string, number>();

  constructor(nats: NatsConnection, transit: Transit) {
    this.#transit = transit;
    nats.subscribe(`${this.#inbox}.*`, { callback: (_error, message) => this.#onAnswer(message) });
    this.#asking = setInterval(() => void this.#askDebtors(), askEveryMs);
  }

  close(): void {
    clearInterval(this.#asking);
  }

  /** Where NATS is to say that nobody took a packet. */
  replyTo(packet: Packet | undefined): string | undefined {
    if (packet?.type === "REQ") return `${this.#inbox}.${packet.payload.id}`;
    if (packet?.type !== "PING" || !packet.target) return undefined;
    return `${this.#inbox}.${asked}${Buffer.from(packet.target).toString("base64url")}`;
  }

  async #askDebtors(): Promise<void> {
    if (!this.#transit.tx.connected) return;
    const debtors = new Set([...this.#transit.pendingRequests.values()].map(({ nodeID }) => nodeID));
    for (const nodeID of debtors) await this.#transit.sendPing(nodeID);
  }

  #onAnswer({ subject, headers }: Msg): void {
    if (headers?.code !== 503) return;
    const token = subject.slice(this.#inbox.length + 1);
    if (token.startsWith(asked)) this.#missed(Buffer.from(token.slice(asked.length), "base64url").toString());
    else this.#notTaken(token);
  }

  /** Once may be a short loss of its link. */
  #missed(nodeID: string): void {
    const now = performance.now();
    const before = this.#missedAt.get(nodeID) ?? Number.NEGATIVE_INFINITY;
    this.#missedAt.set(nodeID, now);
    if (now - before > 2 * askEveryMs) return;
    this.#missedAt.delete(nodeID);
    this.#transit.discoverer.remoteNodeDisconnected(nodeID, true);
  }

  /** No more calls go to the node until its next heartbeat. */
  #notTaken(requestId: string): void {
    const request = this.#transit.pendingRequests.get(requestId);
    if (request === undefined) return;
    const { nodeID, ctx, reject } = request;
    this.#transit.removePendingRequest(requestId);
    reject(new Errors.ServiceNotAvailableError({ action: ctx.action?.name ?? "", nodeID }));
    this.#transit.discoverer.remoteNodeDisconnected(nodeID, true);
  }
}
