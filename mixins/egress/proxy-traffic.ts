import { type ClientRequestArgs, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Socket } from "node:net";
import type { RefusalRule } from "../../services/domain/url/refusals.ts";

/** The connections of one tenant proxy to targets and upstream proxies: counts bytes, records failures, closes all. */
export interface ProxyConnections {
  /** Watches a connection that proxy-chain opened. */
  watch(socket: unknown, host: string): void;
  /** Agents for the connections that proxy-chain opens by HTTP; keep-alive within this proxy only. */
  readonly agents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent };
  cut(): void;
}

const connectTimeoutMs = 10_000;

/** Calls `onSpent` when the targets have sent more than the record's budget. */
export function createProxyConnections(record: TrafficRecord, onSpent: () => void): ProxyConnections {
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

function noteFailure(socket: Socket, host: string, record: TrafficRecord): void {
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

// The proxy cannot see inside a CONNECT tunnel: a target on port 443 that closes without sending data counts as a failed
// TLS handshake. The browser itself reports a certificate that it refuses.
function hangUpReason(socket: Socket): "tls" | "connect" {
  return socket.remotePort === 443 ? "tls" : "connect";
}

type Connect = (
  options: ClientRequestArgs,
  callback?: (error: Error | null, stream: never) => void,
) => unknown;

function watchedAgents(watch: ProxyConnections["watch"]): ProxyConnections["agents"] {
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

export type UnreachableReason = "dns" | "connect" | "tls" | "timeout";

/** The traffic of one job. */
export interface TrafficReport {
  /** Bytes that the targets sent. */
  bytes: number;
  /** Each refused target as `host:port`, once each, with the rule that refused it. */
  refused: { target: string; rule: RefusalRule }[];
  /** Unreachable targets, or the upstream proxy in their place; once each. */
  unreachable: { host: string; reason: UnreachableReason }[];
  /** The byte budget ran out; the page may be incomplete. */
  overBudget: boolean;
}

export interface TrafficRecord {
  reset(maxBytes: number): void;
  refuse(target: string, rule: RefusalRule): void;
  miss(host: string, reason: UnreachableReason): void;
  /** Adds bytes; true when they pass the budget. */
  spend(bytes: number): boolean;
  isSpent(): boolean;
  report(): TrafficReport;
}

// A page can name any number of hosts, but the record stays small.
const maxHosts = 200;

export function createTrafficRecord(): TrafficRecord {
  let maxBytes = Number.POSITIVE_INFINITY;
  let bytes = 0;
  const refused = new Map<string, RefusalRule>();
  const unreachable = new Map<string, UnreachableReason>();
  const isSpent = () => bytes > maxBytes;
  return {
    isSpent,
    reset: budget => {
      maxBytes = budget;
      bytes = 0;
      refused.clear();
      unreachable.clear();
    },
    refuse: (target, rule) => {
      if (refused.size < maxHosts) refused.set(target, rule);
    },
    miss: (host, reason) => {
      if (unreachable.size < maxHosts) unreachable.set(host, reason);
    },
    spend: count => {
      bytes += count;
      return isSpent();
    },
    report: () => ({
      bytes,
      refused: Array.from(refused, ([target, rule]) => ({ target, rule })),
      unreachable: Array.from(unreachable, ([host, reason]) => ({ host, reason })),
      overBudget: isSpent(),
    }),
  };
}
