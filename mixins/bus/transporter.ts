import { Errors, Transporters } from "moleculer";
import type { NatsConnection } from "nats";
import { fail } from "../../services/contracts/errors.ts";
import { settledWithin } from "../async/timeout.ts";
import type { ClusterConfig } from "../config/config.ts";
import { logEvent } from "../log/log-events.ts";
import type { FailureDetector, Packet, StallDetector } from "./failure-detector.ts";
import { isPart, MessageAssembly, maxMessageBytes, partsOf, senderOf } from "./message-parts.ts";

/** Larger messages are sent in parts. It is far below NATS' default of 1 MB, so heartbeats pass between the parts. */
const partBytes = 256 * 1024;
/** How long a stop waits for messages that are not sent yet. */
const flushMs = 1000;
const pingEveryMs = 2000;
const reconnectEveryMs = 250;
const bytesAs = "$base64";

function isOfStream(packet: Packet | undefined): boolean {
  return (packet?.payload as { stream?: unknown } | undefined)?.stream === true;
}

interface Repeatable {
  repeatable?: true | "by caller";
}

/**
 * Moleculer's transporter for NATS, hardened against nodes that die and links that break. It reconnects for ever, rejects
 * calls while the link is down, detects a node that is gone with the first call to it, runs no call that waited while the
 * process was stopped, and sends messages larger than NATS' limit in parts.
 */
export class NatsTransporter extends Transporters.NATS {
  readonly #cluster: Pick<ClusterConfig, "natsUrl">;
  readonly #assembly = new MessageAssembly();
  #failures: FailureDetector | undefined;
  #stalls: StallDetector | undefined;
  #nats: NatsConnection | undefined;

  constructor(cluster: Pick<ClusterConfig, "natsUrl">) {
    super({});
    this.#cluster = cluster;
  }

  override async connect(): Promise<void> {
    // Imported here, so that the embedded mode does not load the client.
    const { connect } = await import("nats");
    const { endPreviousAttempts, natsOptions } = await import("./nats-client.ts");
    const { checkHeartbeatsOnTime, FailureDetector, StallDetector } = await import("./failure-detector.ts");
    endPreviousAttempts();
    const nats = await connect({
      ...natsOptions(this.#cluster.natsUrl),
      name: this.nodeID,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectEveryMs,
      reconnectJitter: reconnectEveryMs,
      waitOnFirstConnect: true,
      // While a password is being changed, the connection is retried.
      ignoreAuthErrorAbort: true,
      // Detects a link that a network has silently dropped.
      pingInterval: pingEveryMs,
      maxPingOut: 2,
    });
    this.#nats = nats;
    void this.#followStatus(nats);
    this.#failures = new FailureDetector(nats, this.transit);
    this.#stalls = new StallDetector(() => nats.flush());
    checkHeartbeatsOnTime(this.transit);
    await this.onConnected();
  }

  override async disconnect(): Promise<void> {
    const nats = this.#nats;
    this.#nats = undefined;
    this.#failures?.close();
    this.#stalls?.close();
    if (nats === undefined) return;
    // Without a link a flush waits for the next one.
    await settledWithin(flushMs, [nats.flush()]);
    await nats.close();
  }

  override async subscribe(command: string, nodeID?: string): Promise<void> {
    this.#nats?.subscribe(this.getTopicName(command, nodeID), {
      callback: (error, message) => {
        if (error) logEvent(this.logger, "bus_message.failed", { error });
        else void this.#handleMessage(command, Buffer.from(message.data));
      },
    });
  }

  /** Without a link calls are rejected, events and heartbeats dropped, and answers kept until it is back. */
  override async prepublish(packet: Packet): Promise<void> {
    if (this.connected || packet.type === "REQ") return super.prepublish(packet);
    if (packet.type === "RES") return this.publish(packet);
  }

  override async send(topic: string, data: Buffer, meta?: { packet?: Packet }): Promise<void> {
    const nats = this.#nats;
    if (nats === undefined) return;
    const reply = this.#failures?.replyTo(meta?.packet);
    const mostBytes = Math.min(partBytes, nats.info?.max_payload ?? partBytes);
    if (data.length > maxMessageBytes) return this.#refuse(meta?.packet);
    const parts = data.length <= mostBytes ? [data] : await partsOf(data, mostBytes, this.nodeID);
    for (const part of parts) nats.publish(topic, part, { reply });
    // The next piece of a stream waits until this one has left, so that heartbeats pass between them.
    if (isOfStream(meta?.packet)) await nats.flush();
  }

  /** Bytes travel as base64: in an array of JSON numbers each byte would take four. */
  override serialize(packet: Packet): Buffer {
    const { data, params } = packet.payload as { data?: unknown; params?: unknown };
    const as64 = (bytes: Buffer) => ({ [bytesAs]: bytes.toString("base64") });
    const inBase64 = {
      ...(Buffer.isBuffer(data) && { data: as64(data) }),
      ...(Buffer.isBuffer(params) && { params: as64(params) }),
    };
    return super.serialize({ ...packet, payload: { ...packet.payload, ...inBase64 } });
  }

  override deserialize(type: string, bytes: Buffer): Packet {
    const packet = super.deserialize(type, bytes);
    for (const name of ["data", "params"] as const) {
      const text = packet.payload[name]?.[bytesAs];
      if (typeof text === "string") packet.payload[name] = Buffer.from(text, "base64");
    }
    this.#noteAlive(packet.payload.sender);
    return packet;
  }

  /** Counts any message as a heartbeat; the heartbeat itself may wait behind many messages. */
  #noteAlive(nodeID: string): void {
    const node = this.broker.registry.nodes.get(nodeID);
    if (node?.available) node.lastHeartbeatTime = Math.round(process.uptime());
  }

  async #followStatus(nats: NatsConnection): Promise<void> {
    for await (const { type } of nats.status()) {
      if (type !== "disconnect" && type !== "reconnect") continue;
      this.connected = type === "reconnect";
      logEvent(this.logger, this.connected ? "bus.connected" : "bus.disconnected");
      // Announces this node to the others, and asks for their state.
      if (this.connected) await this.onConnected(true);
      else this.#rejectRepeatable();
    }
    this.connected = false;
  }

  async #handleMessage(command: string, bytes: Buffer): Promise<void> {
    const isStale = command === "REQ" && this.#stalls?.isStale();
    try {
      const isWhole = !isPart(bytes);
      if (!isWhole) this.#noteAlive(senderOf(bytes));
      const message = isWhole ? bytes : await this.#assembly.add(bytes);
      if (message && isStale) await this.#refuseLate(this.deserialize(command, message));
      else if (message) await this.receive(command, message);
    } catch (error) {
      logEvent(this.logger, "bus_message.failed", { error });
    }
  }

  /** Rejects the calls that may be repeated: request or answer may have been lost with the link. */
  #rejectRepeatable(): void {
    for (const [id, { ctx, reject }] of this.transit.pendingRequests) {
      if (!(ctx.action as Repeatable | undefined)?.repeatable) continue;
      this.transit.removePendingRequest(id);
      // An error that says nothing about the node, which may be alive.
      reject(new Errors.BrokerDisconnectedError("The link to NATS was lost before the answer came."));
    }
  }

  /** A caller that still waits repeats the call on another node. */
  async #refuseLate({ payload: { id, sender, action, meta, headers } }: Packet): Promise<void> {
    const error = new Errors.ServiceNotAvailableError({ action, nodeID: this.nodeID });
    await this.transit.sendResponse(sender, id, meta, headers, null as never, error);
  }

  async #refuse(packet: Packet | undefined): Promise<void> {
    const megabytes = Math.round(maxMessageBytes / 2 ** 20);
    const error = fail("payload_too_large", `The answer is larger than ${megabytes} MB.`);
    if (packet?.type !== "RES" || !packet.target) throw error;
    const { id, meta, headers } = packet.payload;
    await this.transit.sendResponse(packet.target, id, meta, headers, null as never, error);
  }
}
