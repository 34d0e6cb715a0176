import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type AdFilters, adFilters, noAdFilters } from "./ad-filters.ts";

/** Compiled filter lists: in shared memory for the worker threads, and opened for this one. */
export interface AdBlocking {
  filters: AdFilters;
  /** Undefined: nothing is blocked. */
  compiled: Uint8Array | undefined;
}

export const noAdBlocking: AdBlocking = { filters: noAdFilters, compiled: undefined };

/** The filter lists of this process. They are compiled at start in a worker thread; who asks earlier waits. */
export interface AdFilterLists {
  blocking: Promise<AdBlocking>;
}

/** Lists that cannot be read are reported and then block nothing: a scrape without blocking beats none. */
export function loadAdFilterLists(signal: AbortSignal, report: (error: unknown) => void): AdFilterLists {
  const blocking = compile(signal).then(share, error => {
    if (!signal.aborted) report(error);
    return noAdBlocking;
  });
  return { blocking };
}

async function compile(signal: AbortSignal): Promise<Uint8Array> {
  const thread = new Worker(new URL("ad-filters.worker.ts", import.meta.url));
  try {
    const [compiled] = await once(thread, "message", { signal });
    return compiled;
  } finally {
    await thread.terminate();
  }
}

function share(bytes: Uint8Array): AdBlocking {
  const compiled = new Uint8Array(new SharedArrayBuffer(bytes.length));
  compiled.set(bytes);
  return { filters: adFilters(bytes), compiled };
}
