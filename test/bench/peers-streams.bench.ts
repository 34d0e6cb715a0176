import { type Bench, interleave, median, type Outcome, ratioOf } from "./compare.ts";
import { startCentrifugo } from "./peers/centrifugo.ts";
import { costOfEvents, openStreamLoad, type StreamLoad, type StreamRound } from "./stream-load.ts";
import { startStreamMagpie } from "./stream-magpie.ts";

const rounds = 5;

/**
 * 500 events a second for 200 channels with ten WebSockets each, beside Centrifugo: the same clients, and a request for each
 * event. Magpie writes each event to its log on disk first; Centrifugo keeps it in memory.
 */
export const peersStreams: Bench = async () => {
  const centrifugo = await startCentrifugo().catch((error: Error) => error);
  if (centrifugo instanceof Error)
    return [{ line: `peers-streams: Centrifugo was passed over: ${centrifugo.message}` }];
  const magpie = await startStreamMagpie();
  const loads: StreamLoad[] = [];
  const eventsUs: number[] = [];
  try {
    for (const server of [magpie, centrifugo]) {
      eventsUs.push(await costOfEvents(server));
      loads.push(await openStreamLoad(server));
    }
    const [ours, theirs] = loads as [StreamLoad, StreamLoad];
    const measured = await interleave(rounds, { ours: ours.round, theirs: theirs.round });
    return outcomes(measured, [ours.socketKb, theirs.socketKb], eventsUs);
  } finally {
    for (const load of loads) await load.close();
    await Promise.all([magpie.stop(), centrifugo.stop()]);
  }
};

function outcomes(
  { ours, theirs }: Record<"ours" | "theirs", StreamRound[]>,
  [ourKb = 0, theirKb = 0]: number[],
  [ourEventUs = 0, theirEventUs = 0]: number[],
): Outcome[] {
  const of = (side: StreamRound[], key: keyof StreamRound) => side.map(round => round[key]);
  const ratio = (key: keyof StreamRound) => ratioOf(of(ours, key), of(theirs, key)).toFixed(2);
  const side = (measured: StreamRound[], kb: number, eventUs: number) => {
    const [p50, p99, cpu] = (["p50", "p99", "cpuUs"] as const).map(key => median(of(measured, key)));
    const missing = measured.reduce((sum, { wanted, messages }) => sum + wanted - messages, 0);
    return `p50 ${p50?.toFixed(1)}, p99 ${p99?.toFixed(1)} ms, ${cpu?.toFixed(1)} µs of CPU a message with its part of the event (${eventUs.toFixed(0)} µs without sockets), ${kb.toFixed(1)} KB a socket, ${missing} missing`;
  };
  return [
    {
      line: `peers-streams: magpie ${side(ours, ourKb, ourEventUs)}; Centrifugo ${side(theirs, theirKb, theirEventUs)}; ratio of p50 ${ratio("p50")}, of p99 ${ratio("p99")}, of CPU ${ratio("cpuUs")}, of memory ${(ourKb / theirKb).toFixed(2)}`,
    },
  ];
}
