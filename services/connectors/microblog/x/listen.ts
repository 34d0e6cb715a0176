import { setTimeout as pause } from "node:timers/promises";
import { codeOf, type ErrorExtras } from "../../../contracts/errors.ts";
import { isRefusal, refusal } from "../../social/refusal.ts";
import type { Listener } from "../../social/social-connector.ts";
import type { XRoom } from "./room.ts";
import { runSession } from "./run-session.ts";
import { TrackedChanges } from "./tracked-changes.ts";

const longestPauseMs = 60_000;
/** However long X wants to be left alone, somebody may have mended it meanwhile. */
const longestAskedMs = 60 * 60_000;

/**
 * Listens to the filtered stream as long as somebody is tracked: X refuses a stream without rules. A stream that ends is
 * opened again, ever more slowly. Rejects when X refuses the credentials.
 */
export async function listen(x: XRoom, listener: Listener, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (!x.settings.bearerToken) throw refusal("X needs a bearer token: set X_BEARER_TOKEN.");
  const changes = new TrackedChanges(listener);
  try {
    await listenAgainAndAgain(x, listener, changes, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    changes.close();
  }
}

async function listenAgainAndAgain(
  x: XRoom,
  listener: Listener,
  changes: TrackedChanges,
  signal: AbortSignal,
): Promise<never> {
  const { now } = x.tools;
  let told = "";
  for (let failures = 0; ; failures += 1) {
    while (changes.current().length === 0) await changes.next(signal);
    let stoodAt = Number.POSITIVE_INFINITY;
    const error = await runSession(x, listener, changes, signal, () => {
      stoodAt = now();
      told = "";
    }).catch((thrown: unknown) => thrown);
    signal.throwIfAborted();
    if (isRefusal(error)) throw refused(error as Error);
    const reason = reasonOf(error);
    if (reason !== told) listener.onLost(reason);
    told = reason;
    // A stream that breaks as soon as it stands is no better than one that cannot be opened.
    if (now() - stoodAt > longestPauseMs) failures = 0;
    await pause(pauseMs(x, error, failures), undefined, { signal });
  }
}

function refused(cause: Error): Error {
  return refusal(
    `${cause.message} Check X_BEARER_TOKEN, and that the app's plan has the filtered stream.`,
    cause,
  );
}

/** Sentences of the driver are fit to be told; what others throw is told as what it means here. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return codeOf(error) !== undefined || message.startsWith("X") ? message : "The connection to X broke.";
}

/** Doubles up to a minute, with up to a tenth more; who asks for more than that is heeded. */
function pauseMs({ tools }: XRoom, error: unknown, failures: number): number {
  const { data } = error as { data?: ErrorExtras };
  const askedMs = (data?.retry_after ?? 0) * 1000;
  const ownMs = Math.min(longestPauseMs, tools.reconnectMs * 2 ** Math.min(failures, 20));
  return (askedMs > longestPauseMs ? Math.min(askedMs, longestAskedMs) : ownMs) * (1 + tools.random() / 10);
}
