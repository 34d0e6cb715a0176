import { setTimeout as sleep } from "node:timers/promises";
import { Errors, Transporters } from "moleculer";
import type { NatsConnection } from "nats";
import { fail } from "../../services/contracts/errors.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import { Lapse } from "./lapse.ts";
import { natsOptions } from "./nats-options.ts";
import { Assembly, isPart, largestBytes, partsOf, senderOf } from "./parts.ts";
import { checkPatiently } from "./patient-check.ts";
import type { Packet, Unheard } from "./unheard.ts";

/** Messages above it go in parts: far below the 1 MB of NATS' default, so that heartbeats find their way between. */
const partBytes = 256 * 1024;
/** What a stop gives the messages that are still to be sent. */
const flushMs = 1000;
const pingEveryMs = 2000;
const reconnectEveryMs = 250;
const bytesAs = "$base64";

interface Repeatable {
  repeatable?: boolean;
}

/**
 * Moleculer's transporter for NATS, for nodes that die and links that break: it connects anew for ever, takes no calls
 * while the link is down instead of keeping them, learns of a node that is gone with the first call to it, carries out no
 * call that waited while the process stood still, and carries messages that are larger than NATS takes.
 */
export class NatsBus extends Transporters.NATS {
  readonly #cluster: Pick<ClusterConfig, "natsUrl">;
  readonly #assembly = new Assembly();
  #unheard: Unheard | undefined;
  #lapse: Lapse | undefined;
  #nats: NatsConnection | undefined;

  constructor(cluster: Pick<ClusterConfig, "natsUrl">) {
    super({});
    this.#cluster = cluster;
  }

  override async connect(): Promise<void> {
    // The client is time and memory that the embedded mode need not spend.
    const { connect } = await import("nats");
    const { endAttempts } = await import("./end-attempts.ts");
    const { Unheard } = await import("./unheard.ts");
    endAttempts();
    const nats = await connect({
      ...natsOptions(this.#cluster.natsUrl),
      name: this.nodeID,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectEveryMs,
      reconnectJitter: reconnectEveryMs,
      waitOnFirstConnect: true,
      // A password that is being changed is no reason to stop trying.
      ignoreAuthErrorAbort: true,
      // A link that a network has silently dropped.
      pingInterval: pingEveryMs,
      maxPingOut: 2,
    });
    this.#nats = nats;
    void this.#follow(nats);
    this.#unheard = new Unheard(nats, this.transit);
    this.#lapse = new Lapse(() => nats.flush());
    checkPatiently(this.transit);
    await this.onConnected();
  }

  override async disconnect(): Promise<void> {
    const nats = this.#nats;
    this.#nats = undefined;
    this.#unheard?.close();
    this.#lapse?.close();
    if (nats === undefined) return;
    // Without a link a flush would wait for the next one.
    await Promise.race([nats.flush(), sleep(flushMs, undefined, { ref: false })]);
    await nats.close();
  }

  override async subscribe(command: string, nodeID?: string): Promise<void> {
    this.#nats?.subscribe(this.getTopicName(command, nodeID), {
      callback: (error, message) => {
        if (error) this.logger.warn("bus.not_received", { error });
        else void this.#take(command, Buffer.from(message.data));
      },
    });
  }

  /** Without a link calls are refused, hints and heartbeats dropped; answers are kept for the next one. */
  override async prepublish(packet: Packet): Promise<void> {
    if (this.connected || packet.type === "REQ") return super.prepublish(packet);
    if (packet.type === "RES") return this.publish(packet);
  }

  override async send(topic: string, data: Buffer, meta?: { packet?: Packet }): Promise<void> {
    const nats = this.#nats;
    if (nats === undefined) return;
    const reply = this.#unheard?.replyTo(meta?.packet);
    const mostBytes = Math.min(partBytes, nats.info?.max_payload ?? partBytes);
    if (data.length <= mostBytes) return nats.publish(topic, data, { reply });
    if (data.length > largestBytes) return this.#refuse(meta?.packet);
    const parts = await partsOf(data, mostBytes, this.nodeID);
    for (const part of parts) nats.publish(topic, part, { reply });
  }

  /** In JSON a byte would take four. */
  override serialize(packet: Packet): Buffer {
    const { data } = packet.payload as { data?: unknown };
    if (!Buffer.isBuffer(data)) return super.serialize(packet);
    const payload = { ...packet.payload, data: { [bytesAs]: data.toString("base64") } };
    return super.serialize({ ...packet, payload });
  }

  override deserialize(type: string, bytes: Buffer): Packet {
    const packet = super.deserialize(type, bytes);
    const text = packet.payload.data?.[bytesAs];
    if (typeof text === "string") packet.payload.data = Buffer.from(text, "base64");
    this.#seen(packet.payload.sender);
    return packet;
  }

  /** Any message is a sign of life; a heartbeat may wait behind many others. */
  #seen(nodeID: string): void {
    const node = this.broker.registry.nodes.get(nodeID);
    if (node?.available) node.lastHeartbeatTime = Math.round(process.uptime());
  }

  async #follow(nats: NatsConnection): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type !== "disconnect" && type !== "reconnect") continue;
      this.connected = type === "reconnect";
      this.logger.warn(this.connected ? "bus.connected" : "bus.disconnected");
      // Tells the other nodes of this one, and asks for theirs.
      if (this.connected) await this.onConnected(true);
      else this.#giveUpRepeatable();
    }
    this.connected = false;
  }

  async #take(command: string, bytes: Buffer): Promise<void> {
    const isStale = command === "REQ" && this.#lapse?.isStale();
    try {
      const isWhole = !isPart(bytes);
      if (!isWhole) this.#seen(senderOf(bytes));
      const message = isWhole ? bytes : await this.#assembly.add(bytes);
      if (message && isStale) await this.#refuseLate(this.deserialize(command, message));
      else if (message) await this.receive(command, message);
    } catch (error) {
      this.logger.warn("bus.not_received", { error });
    }
  }

  /** Their question or their answer may have been lost with the link. */
  #giveUpRepeatable(): void {
    for (const [id, { ctx, nodeID, reject }] of this.transit.pendingRequests) {
      if (!(ctx.action as Repeatable | undefined)?.repeatable) continue;
      this.transit.removePendingRequest(id);
      reject(new Errors.RequestRejectedError({ action: ctx.action?.name ?? "", nodeID }));
    }
  }

  /** Whoever still waits for the answer may send the call to another node. */
  async #refuseLate({ payload: { id, sender, action, meta, headers } }: Packet): Promise<void> {
    const error = new Errors.ServiceNotAvailableError({ action, nodeID: this.nodeID });
    await this.transit.sendResponse(sender, id, meta, headers, null as never, error);
  }

  async #refuse(packet: Packet | undefined): Promise<void> {
    const megabytes = Math.round(largestBytes / 2 ** 20);
    const error = fail("payload_too_large", `The answer is larger than ${megabytes} MB.`);
    if (packet?.type !== "RES" || !packet.target) throw error;
    const { id, meta, headers } = packet.payload;
    await this.transit.sendResponse(packet.target, id, meta, headers, null as never, error);
  }
}
