/*
 * Loads the data of a page, and renews them every 5 s while the page is visible, without a flicker:
 *
 *   const sources = useLive(signal => get<Page<Source>>("/track", { signal }), [filter]);
 *   sources.data      undefined until the first answer; stays while it is renewed
 *   sources.error     why the last attempt failed; undefined again after one that succeeds
 *   sources.renew()   asks now, for example after a change; resolves with the answer
 *
 * When a dependency changes, the data are loaded again. The old data disappear at once unless `isKept`.
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
      // An unchanged answer renders nothing, so that screen readers read nothing again.
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

/** Runs now and after each pause, but not while the page is hidden. When the page is shown again, it runs at once. */
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
