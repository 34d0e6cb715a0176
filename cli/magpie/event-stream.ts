import {
  type Event,
  EventGapError,
  type EventsBreak,
  type EventsOptions,
  type Magpie,
} from "../../sdk/typescript/src/index.ts";
import { failureOf } from "./failure.ts";
import { note } from "./screen.ts";

type Wanted = Pick<
  EventsOptions,
  "after" | "since" | "until" | "follow" | "sources" | "tags" | "meaningful"
> & {
  signal: AbortSignal;
};

/**
 * Reads the events of a key, in order, each once, until the signal is aborted. It throws the error of a first connection;
 * later ones are repeated. Where events have expired meanwhile, a note says which.
 */
export async function* readEvents(magpie: Magpie, wanted: Wanted): AsyncGenerator<Event, void, void> {
  const { signal } = wanted;
  for (let { after } = wanted; ; ) {
    try {
      for await (const event of magpie.events({ ...wanted, after, onBreak: noteBreak })) {
        after = event.seq;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof EventGapError)) throw error;
      note(
        `Events ${error.after + 1} to ${error.oldestSeq - 1} have expired; what follows begins after them.`,
      );
      after = error.oldestSeq - 1;
    }
  }
}

function noteBreak({ error, after, hasBegun }: EventsBreak): void {
  if (error === undefined) return;
  if (!hasBegun) throw error;
  note(`${failureOf(error).message} Connecting again, after event ${after}.`);
}
