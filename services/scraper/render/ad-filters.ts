import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { whileUsed } from "../../../mixins/async/remembered.ts";
import { noteRelease } from "../../../mixins/runtime/garbage.ts";

/** Recognises ads and trackers by their URL, by the filter lists of content blockers. */
export interface AdFilters {
  /** `type` is a CDP resource type, `Script` for example. */
  blocks(url: string, pageUrl: string, type: string): boolean;
}

/** Blocks nothing: for requests without blocking, and until the lists are compiled. */
export const noAdFilters: AdFilters = { blocks: () => false };

const typeNames: Record<
  string,
  "script" | "image" | "stylesheet" | "xhr" | "sub_frame" | "media" | "font" | "websocket" | "ping" | "other"
> = {
  Script: "script",
  Image: "image",
  Stylesheet: "stylesheet",
  XHR: "xhr",
  Fetch: "xhr",
  Document: "sub_frame",
  Media: "media",
  Font: "font",
  WebSocket: "websocket",
  Ping: "ping",
};

/** `compiled`: the output of `buildAdFilters`. Loads the engine, which has a hundred modules. */
export async function adFilters(compiled: Uint8Array): Promise<AdFilters> {
  const { FiltersEngine, Request } = await import("@ghostery/adblocker");
  const engine = FiltersEngine.deserialize(compiled);
  return {
    blocks: (url, pageUrl, type) =>
      engine.match(Request.fromRawDetails({ url, sourceUrl: pageUrl, type: typeNames[type] ?? "other" }))
        .match,
  };
}

/** Compiled filter lists: in shared memory for the worker threads, and to open in this one. */
interface AdBlocking {
  filters(): Promise<AdFilters>;
  /** Undefined: nothing is blocked. */
  compiled: Uint8Array | undefined;
}

export const noAdBlocking: AdBlocking = { filters: async () => noAdFilters, compiled: undefined };

/** The filter lists of this process. */
export interface AdFilterLists {
  /** A worker thread compiles them when they are first wanted, or reads what was compiled before. */
  blocking(): Promise<AdBlocking>;
}

/**
 * Keeps the lists until they have not been wanted for `idleMs`. Reports lists that cannot be read and then blocks
 * nothing: a scrape without blocking is better than none.
 */
export function adFilterLists(
  idleMs: number,
  signal: AbortSignal,
  report: (error: unknown) => void,
): AdFilterLists {
  const load = () =>
    compile(signal).then(share, error => {
      if (!signal.aborted) report(error);
      return noAdBlocking;
    });
  return { blocking: whileUsed(idleMs, load, noteRelease) };
}

async function compile(signal: AbortSignal): Promise<Uint8Array> {
  const thread = new Worker(new URL("./ad-filters.worker.ts", import.meta.url));
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
  let filters: Promise<AdFilters> | undefined;
  return { filters: () => (filters ??= adFilters(compiled)), compiled };
}
