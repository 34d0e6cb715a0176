import { type Frame, frameReader } from "./event-frames.ts";

/** Where a stream is. `seconds`: until the next try. */
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
  open(after: string | undefined, signal: AbortSignal): Promise<Response>;
  onFrame(frame: Frame): void;
  onState(state: StreamState): void;
  signal: AbortSignal;
  /** The longest silence. The service sends a comment every 25 s. */
  silenceMs?: number;
  /** The first wait before another try, which doubles each time. */
  firstWaitMs?: number;
}

/** How `open` says that the service refused. */
interface Refusal {
  status?: number;
  /** Seconds. */
  retryAfter?: number | undefined;
  message: string;
}

const longestWaitMs = 30_000;

/**
 * Follows a stream until its signal is aborted or the service refuses it for good. After a break it connects again, after
 * the last event that arrived, so that nothing is lost or repeated.
 */
export async function followStream(stream: Stream): Promise<void> {
  const { signal, onState, firstWaitMs = 1000 } = stream;
  let after: string | undefined;
  let waitMs = firstWaitMs;
  const received = (frame: Frame) => {
    if (frame.id !== "") after = frame.id;
    waitMs = firstWaitMs;
    stream.onFrame(frame);
  };
  while (!signal.aborted) {
    onState({ name: "connecting" });
    const outcome = await connect(stream, after, received);
    if (signal.aborted) return;
    if (outcome.kind === "refused") return onState({ name: "ended", message: outcome.message });
    if (outcome.kind === "expired") {
      after = undefined;
      onState({ name: "gap" });
      continue;
    }
    const wait = outcome.retryAfterMs ?? waitMs;
    waitMs = Math.min(waitMs * 2, longestWaitMs);
    onState({ name: "waiting", seconds: Math.ceil(wait / 1000) });
    await pause(wait, signal);
  }
}

type Outcome =
  | { kind: "broken"; retryAfterMs?: number }
  | { kind: "expired" }
  | { kind: "refused"; message: string };

async function connect(
  stream: Stream,
  after: string | undefined,
  received: (frame: Frame) => void,
): Promise<Outcome> {
  const { signal, silenceMs = 60_000 } = stream;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  try {
    const asked = stream.open(after, AbortSignal.any([signal, silence.signal]));
    const answer = await asked.catch((error: unknown) => outcomeOf(error, after));
    if ("kind" in answer) return answer;
    stream.onState({ name: "live" });
    if (answer.body) await readFrames(answer.body, received, heard);
    return { kind: "broken" };
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function outcomeOf(error: unknown, after: string | undefined): Outcome {
  const { status = 0, retryAfter, message } = error as Refusal;
  if (status === 410 && after !== undefined) return { kind: "expired" };
  if (status > 0 && status < 500 && status !== 429) return { kind: "refused", message };
  return retryAfter === undefined ? { kind: "broken" } : { kind: "broken", retryAfterMs: retryAfter * 1000 };
}

async function readFrames(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  received: (frame: Frame) => void,
  heard: () => void,
): Promise<void> {
  const read = frameReader();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  while (true) {
    // It rejects where the connection fails or is aborted, after which there is another try.
    const piece = await reader.read().catch(() => undefined);
    if (piece === undefined || piece.done) return;
    heard();
    for (const frame of read(piece.value)) received(frame);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
