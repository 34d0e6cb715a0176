/** Times and bounds of streams; tests shorten them. */
export interface StreamOptions {
  /** Between pings, and between comments of server-sent events. */
  heartbeatMs: number;
  /** How long a pong may take. */
  pongMs: number;
  /** How long the first frame may take that carries the key. */
  authMs: number;
  /** How long a connection may take nothing before it is closed as too slow. */
  stallMs: number;
  /** How long a closing handshake may take. */
  closeMs: number;
  /** The same of one that was too slow, and learns why when it reads on. */
  lingerMs: number;
  /** Bytes that wait in this process for one connection, above which its log is read no further. */
  highWaterBytes: number;
  /** Between rounds in which open streams' keys are looked up again. */
  recheckMs: number;
}

export const streamDefaults: StreamOptions = {
  heartbeatMs: 25_000,
  pongMs: 10_000,
  authMs: 5_000,
  stallMs: 10_000,
  closeMs: 3_000,
  lingerMs: 30_000,
  highWaterBytes: 64 * 1024,
  recheckMs: 500,
};
