import { type ClientRequestArgs, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Socket } from "node:net";
import type { LaneRecord } from "./lane-record.ts";

/** The connections of one lane to targets and upstream proxies: counted, noted when they fail, cut together. */
export interface LaneTargets {
  /** Follows a connection that proxy-chain opened. */
  watch(socket: unknown, host: string): void;
  /** Agents for the connections that proxy-chain opens by HTTP; kept alive inside the lane only. */
  readonly agents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent };
  cut(): void;
}

const connectTimeoutMs = 10_000;

/** `onSpent` is called when the targets have sent more than the record's budget. */
export function createLaneTargets(record: LaneRecord, onSpent: () => void): LaneTargets {
  const sockets = new Set<Socket>();
  const watch = (socket: unknown, host: string) => {
    if (!(socket instanceof Socket) || sockets.has(socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      if (record.spend(chunk.length)) onSpent();
    });
    noteFailure(socket, host, record);
  };
  return {
    watch,
    agents: watchedAgents(watch),
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function noteFailure(socket: Socket, host: string, record: LaneRecord): void {
  const silent = () => socket.bytesRead === 0 && socket.bytesWritten > 0;
  let connected = !socket.connecting;
  if (!connected) socket.setTimeout(connectTimeoutMs, () => giveUp(socket));
  socket.once("connect", () => {
    connected = true;
    socket.setTimeout(0);
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    if (!connected) record.miss(host, error.code === "ETIMEDOUT" ? "timeout" : "connect");
    else if (silent()) record.miss(host, hangUpReason(socket));
  });
  socket.once("end", () => {
    if (silent()) record.miss(host, hangUpReason(socket));
  });
}

function giveUp(socket: Socket): void {
  if (socket.connecting) socket.destroy(Object.assign(new Error("connect timed out"), { code: "ETIMEDOUT" }));
}

// The lane does not look into tunnels: who is spoken to on the port of HTTPS and hangs up without a word ended the
// handshake. A certificate that the browser refuses is the browser's to tell.
function hangUpReason(socket: Socket): "tls" | "connect" {
  return socket.remotePort === 443 ? "tls" : "connect";
}

type Connect = (
  options: ClientRequestArgs,
  callback?: (error: Error | null, stream: never) => void,
) => unknown;

function watchedAgents(watch: LaneTargets["watch"]): LaneTargets["agents"] {
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgent = new HttpsAgent({ keepAlive: true });
  for (const agent of [httpAgent, httpsAgent]) {
    const connect = agent.createConnection.bind(agent) as Connect;
    agent.createConnection = ((options, callback) => {
      const socket = connect(options, callback);
      watch(socket, options.host ?? "");
      return socket;
    }) as typeof agent.createConnection;
  }
  return { httpAgent, httpsAgent };
}
