import { setTimeout as pause } from "node:timers/promises";
import type { Lease, Leases } from "../../../mixins/lease/lease.ts";
import type { PlatformTold } from "../../contracts/events.ts";
import { tellStanding } from "./hear.ts";
import type { Platform } from "./platform.ts";

/** Milliseconds between two times that whoever listens tells so, and for which the others believe it. */
const tellEveryMs = 5000;
const believedMs = 4 * tellEveryMs;

/**
 * Listens to a platform for as long as no other process does, until the signal; the others stand by, and take over some
 * seconds after whoever listens has died. `listen` resolves, with everything closed, when its signal fires.
 */
export async function takeTurns(
  platform: Platform,
  { leases, logger }: { leases: Pick<Leases, "wait">; logger: Pick<Console, "warn"> },
  listen: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { kind, network } = platform;
  while (!signal.aborted) {
    const turn = leases.wait(`connectors/listen/${kind} ${network}`, signal);
    const lease = await standingBy(platform, turn, signal);
    if (!lease) return;
    const held = AbortSignal.any([signal, lease.signal]);
    begin(platform);
    const telling = setInterval(() => tellStanding(platform), tellEveryMs);
    await listen(held).finally(() => clearInterval(telling));
    await end(platform, logger);
    await lease.release();
  }
}

/** Null when the signal ended the waiting. */
async function standingBy(
  platform: Platform,
  turn: Promise<Lease>,
  signal: AbortSignal,
): Promise<Lease | null> {
  const over = new AbortController();
  const doubting = doubt(platform, AbortSignal.any([signal, over.signal]));
  try {
    return await turn;
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  } finally {
    over.abort();
    await doubting;
  }
}

/** Whoever listens and is not heard of for long is believed no more. */
async function doubt(platform: Platform, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(tellEveryMs, undefined, { signal }).catch(() => undefined);
    const { listener } = platform;
    if (signal.aborted || !listener || Date.now() - listener.heardAt < believedMs) continue;
    platform.listener = undefined;
    Object.assign(platform, { isLive: false, trouble: "Nobody listens to the network now." });
  }
}

function begin(platform: Platform): void {
  Object.assign(platform, { isListening: true, listener: undefined, isLive: false, trouble: null });
  tellStanding(platform);
}

/** What may be used by one process at a time is closed before the next one may open it. */
async function end(platform: Platform, logger: Pick<Console, "warn">): Promise<void> {
  const { kind, connector } = platform;
  Object.assign(platform, { isListening: false, isLive: false });
  try {
    if (connector?.isExclusive) await connector.close?.();
  } catch (error) {
    logger.warn("driver.not_closed", { kind, error: String(error) });
  }
}

/** Takes in what another process tells. */
export function takeIn(platform: Platform, told: PlatformTold, nodeId: string): void {
  const { tracked, gaps, foreign } = platform;
  switch (told.what) {
    case "followed":
      tracked.add(told.externalId);
      break;
    case "let go":
      foreign.delete(told.externalId);
      tracked.remove(told.externalId);
      break;
    case "reading":
      gaps.reading(told.externalId, told.reading);
      break;
    case "read":
      gaps.read(told.externalId, told.reading);
      break;
    case "listening":
      believe(platform, told, nodeId);
  }
}

function believe(
  platform: Platform,
  { isLive, trouble }: { isLive: boolean; trouble: string | null },
  nodeId: string,
): void {
  // What was sent before this process took over.
  if (platform.isListening) return;
  Object.assign(platform, { listener: { nodeId, heardAt: Date.now() }, isLive, trouble });
}
