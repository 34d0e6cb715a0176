/*
 * What a page shows, renewed every 5 s while the page is visible, without a flicker:
 *
 *   const sources = useLive(signal => get<Page<Source>>("/track", { signal }), [filter]);
 *   sources.data      undefined until the first answer; stays while it is renewed
 *   sources.error     why the last try failed; goes with the next that succeeds
 *   sources.renew()   asks now, as after a change; resolves when it is there
 *
 * When one of the dependencies changes, the data are asked for again; those of before go at once, unless `isKept`.
 */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./client.ts";

const everyMs = 5000;

export interface Live<T> {
  data: T | undefined;
  error: ApiError | undefined;
  renew: () => Promise<void>;
}

type State<T> = Pick<Live<T>, "data" | "error">;

export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: unknown[],
  { renewMs = everyMs, isKept = false }: { renewMs?: number; isKept?: boolean } = {},
): Live<T> {
  const [state, setState] = useState<State<T>>({ data: undefined, error: undefined });
  const renewNow = useRef<() => Promise<void>>(async () => undefined);
  const shown = useRef("");
  useEffect(() => {
    const end = new AbortController();
    const ask = async () => {
      const signal = AbortSignal.any([end.signal, AbortSignal.timeout(30_000)]);
      const next = await load(signal).then(
        (data): State<T> => ({ data, error: undefined }),
        (error: unknown): State<T> => ({ data: undefined, error: asApiError(error) }),
      );
      if (end.signal.aborted) return;
      // The same answer as before changes nothing: no work, and nothing is read aloud.
      const text = JSON.stringify(next.data);
      if (next.error) setState(before => ({ data: before.data, error: next.error }));
      else if (text !== shown.current) setState(next);
      else setState(before => (before.error ? { data: before.data, error: undefined } : before));
      if (!next.error) shown.current = text;
    };
    shown.current = "";
    if (!isKept) setState({ data: undefined, error: undefined });
    renewNow.current = ask;
    const stop = whileVisible(ask, renewMs);
    return () => {
      end.abort();
      stop();
    };
  }, dependencies);
  const renew = useCallback(() => renewNow.current(), []);
  return { ...state, renew };
}

/** Runs now and again after each pause, but not while the page is hidden; at once when it is shown again. */
export function whileVisible(run: () => Promise<void>, pauseMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let isRunning = false;
  const next = async () => {
    if (isStopped || isRunning || document.hidden) return;
    isRunning = true;
    clearTimeout(timer);
    await run();
    isRunning = false;
    if (!isStopped) timer = setTimeout(next, pauseMs);
  };
  document.addEventListener("visibilitychange", next);
  void next();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", next);
  };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: "unreachable", message: "The service does not answer." }, { cause: error });
}
