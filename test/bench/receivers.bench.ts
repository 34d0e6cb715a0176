import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import type { DeliveryOptions } from "../../services/domain/delivery/delivery-options.ts";
import { startHelper } from "./child.ts";
import { type Bench, interleave, median, ratioOf, verdict } from "./compare.ts";
import type { Addresses, Counts } from "./deliveries.sink.process.ts";
import { openWorld } from "./deliveries.world.ts";

const rounds = 3;
/** Until the window is open. */
const warmUpMs = 1_500;
const measuredMs = 4_000;
const latencyMs = 50;
/** As many as Magpie has in flight to one endpoint. */
const window = 64;

type Sink = Awaited<ReturnType<typeof startHelper<object, Counts, Addresses>>>;

/** One endpoint with a backlog, whose receiver answers after 50 ms. */
interface Case {
  manner?: Partial<DeliveryOptions>;
  events: number;
  /** Channels of one chat server. */
  channels: number;
  /** Each n-th request is answered with 500; 0 for none. */
  failEvery?: number;
}

/**
 * Events per second that one receiver takes, from one endpoint, beside a bare undici loop with as many requests in
 * flight to the same sink in the same run.
 */
export const receivers: Bench = async () => {
  const sink = await startHelper<object, Counts, Addresses>("deliveries.sink.process.ts", ["1"]);
  try {
    const side = (each: Case) => () => throughput(sink, each);
    const many = { events: 12_000, channels: 1_000 };
    const measured = await interleave(rounds, {
      bare: () => bare(sink),
      none: side({ events: 12_000, channels: 1, manner: { ordering: "none" } }),
      chat: side({ events: 12_000, channels: 100 }),
      batch: side({
        events: 40_000,
        channels: 100,
        manner: { batch: { max_events: 500, max_wait_ms: 100 } },
      }),
      clean: side(many),
      few: side({ ...many, failEvery: 50 }),
      tenth: side({ ...many, failEvery: 10 }),
    });
    const beside = `a bare undici loop ${median(measured.bare).toFixed(0)} /s`;
    const fast = (what: string, rates: number[], bar: number) =>
      verdict(
        `receivers: ${what} ${median(rates).toFixed(0)} /s at 50 ms, ${beside}`,
        median(rates),
        ">=",
        bar,
      );
    const failing = (what: string, rates: number[], bar: number) => {
      const ratio = ratioOf(rates, measured.clean);
      const text = `receivers: with ${what} of 500s ${median(rates).toFixed(0)} /s, without ${median(measured.clean).toFixed(0)} /s, ratio ${ratio.toFixed(2)}`;
      return verdict(text, ratio, ">=", bar);
    };
    return [
      fast("without order", measured.none, 1_000),
      fast("100 channels of a chat server in order", measured.chat, 1_000),
      fast("batches of 500", measured.batch, 3_000),
      failing("2 %", measured.few, 0.9),
      failing("10 %", measured.tenth, 0.6),
    ];
  } finally {
    await sink.stop();
  }
};

async function throughput(sink: Sink, { manner, events, channels, failEvery = 0 }: Case): Promise<number> {
  const world = await openWorld();
  try {
    await world.register([["key", `${sink.first}/after/${latencyMs}/${failEvery}`]], manner);
    const backlog = messages(events, channels);
    while (backlog.length > 0) await world.log.append(backlog.splice(0, 1_000));
    return await takenPerSecond(sink);
  } finally {
    await world.stop();
  }
}

async function takenPerSecond(sink: Sink): Promise<number> {
  await delay(warmUpMs);
  await sink.ask({});
  const began = performance.now();
  await delay(measuredMs);
  const { taken } = await sink.ask({});
  return (taken * 1_000) / (performance.now() - began);
}

async function bare(sink: Sink): Promise<number> {
  const agent = new Agent();
  const stop = new AbortController();
  const [body = ""] = messages(1, 1).map(event => JSON.stringify(event));
  const loop = async () => {
    while (!stop.signal.aborted) await post(agent, sink, body);
  };
  const loops = Array.from({ length: window }, loop);
  try {
    return await takenPerSecond(sink);
  } finally {
    stop.abort();
    await Promise.all(loops);
    await agent.close();
  }
}

async function post(agent: Agent, sink: Sink, body: string): Promise<void> {
  const [origin = ""] = sink.first;
  const path = `/after/${latencyMs}/0`;
  const answer = await agent.request({ origin, path, method: "POST", body });
  await answer.body.dump();
}

/** Messages of one chat server, about 1 KB each, channel after channel. */
function messages(count: number, channels: number): NewEvent[] {
  const timestamp = new Date().toISOString();
  const content = "The quick brown fox jumps over the lazy dog. ".repeat(20);
  const source = {
    id: "server",
    source: "CHATSERVER" as const,
    externalId: "server",
    username: "server",
    name: "server",
  };
  return Array.from({ length: count }, (_, n) => ({
    bodyId: `message-${n}`,
    type: "chatserver.message.created",
    timestamp,
    data: { source, message: { id: String(n), channelId: `channel-${n % channels}`, content } },
    keyIds: ["key"],
  }));
}
