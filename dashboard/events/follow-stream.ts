import type { EventSourceMessage } from "eventsource-parser";
import { resume, type Step, streamMessages } from "../../sdk/typescript/src/resume.ts";

/** The state of a stream. `seconds` is the time until the next connection. */
export type StreamState =
  | { name: "connecting" }
  | { name: "live" }
  | { name: "waiting"; seconds: number }
  /** Events after the position have expired: the stream continues with live ones. */
  | { name: "gap" }
  | { name: "ended"; message: string };

export interface Stream {
  /**
   * Asks for the stream; after the event with this `seq` where there is one. A refusal rejects with its HTTP status as
   * `status`; anything else that rejects is a connection that failed.
   */
  open(after: number | undefined, signal: AbortSignal): Promise<Response>;
  onMessage(message: EventSourceMessage): void;
  onState(state: StreamState): void;
  signal: AbortSignal;
  /** The milliseconds between two messages of the service, at most, until its first message names them. */
  heartbeatMs?: number;
  /** The first wait before another connection, in milliseconds. */
  firstWaitMs?: number;
}

/**
 * Follows a stream until its signal is aborted or the service refuses it for good. After a break it connects again, after
 * the last event that arrived, so that nothing is lost or repeated.
 */
export async function followStream(stream: Stream): Promise<void> {
  const { signal, onState, onMessage, firstWaitMs } = stream;
  while (!signal.aborted) {
    let after: number | undefined;
    const connect = (from: number | undefined, end: AbortSignal) => {
      after = from;
      return messages(stream, from, end);
    };
    const onBreak = ({ waitMs }: { waitMs: number }) =>
      onState({ name: "waiting", seconds: Math.ceil(waitMs / 1000) });
    try {
      for await (const message of resume(connect, { signal, onBreak, firstWaitMs })) onMessage(message);
    } catch (error) {
      const { status, message } = error as { status?: number; message: string };
      if (signal.aborted) return;
      if (status === undefined) throw error;
      if (status !== 410 || after === undefined) return onState({ name: "ended", message });
      onState({ name: "gap" });
    }
  }
}

/** Reads the messages of one connection. */
async function* messages(
  { open, onState, heartbeatMs }: Stream,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Step<EventSourceMessage>, void, void> {
  onState({ name: "connecting" });
  const opened = async () => {
    const response = await open(after, signal);
    onState({ name: "live" });
    return response;
  };
  for await (const message of streamMessages(opened, heartbeatMs))
    yield { seq: message.id === undefined ? undefined : Number(message.id), item: message };
}
