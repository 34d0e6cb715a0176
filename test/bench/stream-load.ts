import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "./child.ts";
import { cpuSecondsOfTrees, descendants, kilobytes } from "./processes.ts";
import type { Awaiting, Opening, StreamReport } from "./stream-client.process.ts";
import { stampedNow } from "./stream-clock.ts";

/** Each channel, a key's log at Magpie, has ten sockets: 500 events a second are 5,000 messages. */
export const channels = 200;
export const socketsEach = 10;
const eventsPerSecond = 500;
const warmSeconds = 5;
const measuredSeconds = 10;
const arrivalMs = 30_000;

/** A server of streams that runs as a process of its own. */
export interface StreamServer {
  pids: number[];
  /** The sockets of a channel; `count` is not its matter. */
  socketsOf(channel: number): Omit<Opening, "count">;
  /** Resolves when the server has accepted a text for a channel, which a message carries. */
  publish(channel: number, text: string): Promise<unknown>;
}

export interface StreamRound {
  /** Milliseconds from before the request that publishes to the client's loop. */
  p50: number;
  p99: number;
  /** Microseconds of CPU of the server's tree, what publishing takes included. */
  cpuUs: number;
  messages: number;
  wanted: number;
  lost: number;
}

/** Microseconds of CPU for an event that no socket gets: its request, and what the server does to keep it. */
export async function costOfEvents(server: StreamServer): Promise<number> {
  await publishSteadily(server, warmSeconds * eventsPerSecond);
  const cpu = cpuSecondsOfTrees(server.pids);
  const events = measuredSeconds * eventsPerSecond;
  await publishSteadily(server, events);
  return ((cpuSecondsOfTrees(server.pids) - cpu) / events) * 1e6;
}

/** The open sockets of a server, to which rounds of events are sent. */
export interface StreamLoad {
  /** Resident kilobytes of the server for each socket. */
  socketKb: number;
  round(): Promise<StreamRound>;
  close(): Promise<void>;
}

export async function openStreamLoad(server: StreamServer): Promise<StreamLoad> {
  const client = await startHelper<Opening | Awaiting, StreamReport>("stream-client.process.ts");
  const before = memoryKb(server.pids);
  for (let channel = 0; channel < channels; channel += 1)
    await client.ask({ ...server.socketsOf(channel), count: socketsEach });
  const socketKb = (memoryKb(server.pids) - before) / (channels * socketsEach);
  const send = async (seconds: number) => {
    await publishSteadily(server, seconds * eventsPerSecond);
    return await client.ask({
      messages: seconds * eventsPerSecond * socketsEach,
      withinMs: arrivalMs,
    });
  };
  return {
    socketKb,
    async round() {
      await send(warmSeconds);
      const cpu = cpuSecondsOfTrees(server.pids);
      const { messages, p50, p99, lost } = await send(measuredSeconds);
      const cpuUs = ((cpuSecondsOfTrees(server.pids) - cpu) / messages) * 1e6;
      return {
        ...{ p50, p99, cpuUs, messages, lost },
        wanted: measuredSeconds * eventsPerSecond * socketsEach,
      };
    },
    close: () => client.stop(),
  };
}

/** Each at its time, to the channels in turn, whether or not those before it are accepted. */
async function publishSteadily({ publish }: StreamServer, count: number): Promise<void> {
  const began = performance.now();
  const accepted: Promise<unknown>[] = [];
  while (accepted.length < count) {
    const due = Math.min(count, ((performance.now() - began) * eventsPerSecond) / 1000);
    while (accepted.length < due) accepted.push(publish(accepted.length % channels, stampedNow()));
    await delay(1);
  }
  await Promise.all(accepted);
}

function memoryKb(pids: number[]): number {
  const all = pids.flatMap(pid => [pid, ...descendants(pid)]);
  return all.reduce((sum, pid) => sum + kilobytes(pid, "smaps_rollup", "Pss"), 0);
}
