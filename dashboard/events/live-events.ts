/*
 * Follows the events of the acting key, or of all keys for an administrator who has chosen none.
 *
 *   const live = useLiveEvents({ type: "", source: "" });
 *   live.log.value, live.state.value, live.sampled.value
 *   live.change(pause)
 */
import { type Signal, useSignal } from "@preact/signals";
import type { EventSourceMessage } from "eventsource-parser";
import { useEffect } from "preact/hooks";
import { streamMessages } from "../../sdk/typescript/src/resume.ts";
import { open } from "../shell/client.ts";
import { actingKey, hasKey } from "../shell/session.ts";
import { kindNames } from "../sources/kinds.ts";
import { type EventLog, emptyLog, fits, type LiveEvent, withEvents } from "./event-log.ts";
import { followStream, type StreamState } from "./follow-stream.ts";

export interface Wanted {
  type: string;
  source: string;
}

/** How many events of the last second were sent, and how many there were. */
export interface Sampled {
  sent: number;
  of: number;
}

export interface LiveEvents {
  log: Signal<EventLog>;
  state: Signal<StreamState>;
  sampled: Signal<Sampled | undefined>;
  change(step: (log: EventLog) => EventLog): void;
}

/** Events are shown in groups, so that a burst does not draw the page for each of them. */
const drawMs = 200;
/** While the service sends a sample, it says so once a second. After this silence it sends all events again. */
const sampledMs = 3000;
/** The number of earlier events that a page begins with. */
const recent = 50;

export function useLiveEvents(wanted: Wanted): LiveEvents {
  const log = useSignal(emptyLog);
  const state = useSignal<StreamState>({ name: "connecting" });
  const sampled = useSignal<Sampled | undefined>(undefined);
  useEffect(() => {
    const end = new AbortController();
    const arrived: LiveEvent[] = [];
    let sampledAt = 0;
    log.value = { ...emptyLog, waiting: log.value.waiting && [] };
    const draw = setInterval(() => {
      if (arrived.length > 0) log.value = withEvents(log.value, arrived.splice(0));
      if (performance.now() - sampledAt > sampledMs) sampled.value = undefined;
    }, drawMs);
    const onMessage = ({ event: type, data }: EventSourceMessage) => {
      if (type === "sampled") {
        sampled.value = JSON.parse(data);
        sampledAt = performance.now();
      }
      // A message without a type is an event.
      if (type !== undefined) return;
      const event: LiveEvent = JSON.parse(data);
      if (fits(event, wanted)) arrived.push(event);
    };
    void followStream({
      open: hasKey.value ? openOwn : (_after, signal) => openAll(wanted, signal),
      onMessage,
      onState: next => {
        state.value = next;
        sampled.value = undefined;
      },
      signal: end.signal,
    });
    return () => {
      end.abort();
      clearInterval(draw);
    };
  }, [wanted.type, wanted.source, actingKey.value]);
  const change = (step: (before: EventLog) => EventLog) => {
    log.value = step(log.value);
  };
  return { log, state, sampled, change };
}

async function openOwn(after: number | undefined, signal: AbortSignal): Promise<Response> {
  const from = after ?? (await recentPosition(signal));
  return await open("GET", "/stream/sse", { query: { after: from }, signal });
}

/** The administrator's stream has no position: it begins with the last events, after a break too. */
async function openAll({ type, source }: Wanted, signal: AbortSignal): Promise<Response> {
  // The service filters by kinds and ids, before it takes a sample. Other text is looked for here only.
  const isKnown = source in kindNames || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(source);
  const query = { type, source: isKnown ? source : "", recent };
  return await open("GET", "/internal/events", { query, signal });
}

/** The position before the last events, which the first message of a stream tells. */
async function recentPosition(signal: AbortSignal): Promise<number> {
  const first = new AbortController();
  const both = AbortSignal.any([signal, first.signal]);
  try {
    for await (const { data } of streamMessages(() => open("GET", "/stream/sse", { signal: both }))) {
      const { seq, oldest_seq } = JSON.parse(data) as { seq: number; oldest_seq: number };
      return Math.max(seq - recent, oldest_seq - 1, 0);
    }
  } finally {
    first.abort();
  }
  throw new Error("The stream ended before its first message.");
}
