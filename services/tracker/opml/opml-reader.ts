import { openThreads } from "../../../mixins/runtime/threads.ts";
import { invalid } from "../../contracts/errors.ts";
import type { OpmlReading } from "../../domain/opml/read-opml.ts";
import type { OpmlDocument, OpmlTasks } from "./opml.worker.ts";

/** The caller for whom a document is read. */
interface Sender {
  keyId: string;
  /** Ends the reading at once. */
  signal: AbortSignal;
}

/** Reads OPML documents in threads; those of one key one after the other. */
export interface OpmlReader {
  /** Throws a 400 for a document that takes too long, and `overloaded`. */
  read(document: OpmlDocument, sender: Sender): Promise<OpmlReading>;
  close(): Promise<void>;
}

/** A document of 4 MB takes a tenth of a second on a quiet machine. */
const usualMs = 10_000;

export function openOpmlReader(maxMs = usualMs): OpmlReader {
  const threads = openThreads<OpmlTasks>({
    program: new URL("./opml.worker.ts", import.meta.url),
    maxThreads: 2,
    maxPerGroup: 1,
    maxWaiting: 4,
    memoryMb: 256,
    messages: {
      tooLarge: "The document is too large to be read. Send it in parts.",
      busy: "Documents of this API key are being read. Try again soon.",
    },
  });
  return {
    read: (document, { keyId, signal }) =>
      threads.run("readOpml", document, { group: keyId, signal, maxMs }).catch(error => {
        throw error.name === "TimeoutError" && !signal.aborted ? tooSlow() : error;
      }),
    close: () => threads.close(),
  };
}

function tooSlow(): Error {
  return invalid("body", "opml", "The document takes too long to be read. Send it in parts.");
}
