import { startHelper } from "./child.ts";
import { type Bench, median, type Outcome, verdict } from "./compare.ts";
import type { Awaiting, Opening, StreamReport } from "./stream-client.process.ts";
import { costOfEvents, openStreamLoad, type StreamRound, socketsEach } from "./stream-load.ts";
import { startStreamMagpie } from "./stream-magpie.ts";
import type { StreamQuestion, StreamUse } from "./stream-server.process.ts";
import { disturbance, type Measured, undisturbed } from "./undisturbed.ts";

const warmUp = 500;
const sockets = 10_000;
const barKb = 40;
const rounds = 5;
const barMs = 15;
const barUs = 24;

/** What an open and idle WebSocket holds, and what a message costs that many sockets get. */
export const stream: Bench = async () => [await idle(), ...(await loaded())];

/** Resident memory of the service for each WebSocket that is open and idle; the clients are another process. */
async function idle(): Promise<Outcome> {
  const { server, client } = await startStreams();
  try {
    await client.ask({ ...server.first, count: warmUp });
    const before = await server.ask("collect");
    const { open } = await client.ask({ ...server.first, count: sockets });
    const each = ((await server.ask("collect")).rss - before.rss) / (open - warmUp) / 1024;
    const text = `stream: ${open - warmUp} idle sockets, ${each.toFixed(1)} KB each`;
    return verdict(text, each, "<=", barKb);
  } finally {
    await client.stop();
    await server.stop();
  }
}

/** Through the whole program: from the request that dispatches a post to the client of each socket. */
async function loaded(): Promise<Outcome[]> {
  const server = await startStreamMagpie();
  const eventUs = await costOfEvents(server);
  const load = await openStreamLoad(server);
  try {
    const measured: Measured<StreamRound>[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await undisturbed(() => load.round()));
    return outcomes({ eventUs, socketKb: load.socketKb }, measured);
  } finally {
    await load.close();
    await server.stop();
  }
}

function outcomes(
  { eventUs, socketKb }: { eventUs: number; socketKb: number },
  measured: Measured<StreamRound>[],
): Outcome[] {
  const all = measured.map(({ value }) => value);
  const [p50, p99, cpuUs] = (["p50", "p99", "cpuUs"] as const).map(name =>
    median(all.map(round => round[name])),
  ) as [number, number, number];
  const streamsUs = cpuUs - eventUs / socketsEach;
  const each = all.map(round => round.p99.toFixed(0)).join(", ");
  const missing = all.reduce((sum, { messages, wanted }) => sum + wanted - messages, 0);
  const place = "stream: 2,000 sockets of 200 keys, 5,000 messages/s";
  return [
    verdict(
      `${place}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms (by round ${each}; ${disturbance(measured)})`,
      ...([p99, "<=", barMs] as const),
    ),
    verdict(
      `${place}, ${streamsUs.toFixed(1)} us of CPU each beside a run without sockets ` +
        `(${cpuUs.toFixed(1)} with a tenth of the event, which takes ${eventUs.toFixed(0)}), ${socketKb.toFixed(1)} KB a socket`,
      ...([streamsUs, "<=", barUs] as const),
    ),
    verdict(`${place}, ${missing} did not arrive`, missing, "<=", 0),
  ];
}

/** A gateway, and a process for its clients. */
export async function startStreams() {
  const server = await startHelper<StreamQuestion, StreamUse, Omit<Opening, "count">>(
    "stream-server.process.ts",
  );
  const client = await startHelper<Opening | Awaiting, StreamReport>("stream-client.process.ts");
  return { server, client };
}
