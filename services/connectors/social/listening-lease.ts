import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import type { Lease, Leases } from "../../../mixins/coordination/leases/lease.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { PlatformUpdate } from "../../contracts/events.ts";
import { broadcastStatus } from "./listen.ts";
import { type Networks, noteMark } from "./networks.ts";
import type { Platform } from "./platform.ts";

/** Milliseconds between two status broadcasts of the listening process, and for which the others trust the last one. */
const broadcastEveryMs = 5000;
const trustedMs = 4 * broadcastEveryMs;

/**
 * Waits for the lease of a platform and listens while this process holds it, until the signal fires. The other processes
 * are on standby, and take over some seconds after the listening one has died. `listen` resolves, with everything
 * closed, when its signal fires.
 */
export async function listenWhileElected(
  platform: Platform,
  { leases, logger }: { leases: Pick<Leases, "wait">; logger: Pick<Console, "warn"> },
  listen: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { kind, network } = platform;
  while (!signal.aborted) {
    const pendingLease = leases.wait(`connectors/listen/${kind} ${network}`, signal);
    const lease = await waitForLease(platform, pendingLease, signal);
    if (!lease) return;
    const held = AbortSignal.any([signal, lease.signal]);
    beginListening(platform);
    const statusTimer = setInterval(() => broadcastStatus(platform), broadcastEveryMs);
    await listen(held).finally(() => clearInterval(statusTimer));
    await endListening(platform, logger);
    await lease.release();
  }
}

/** Null when the signal fires first. */
async function waitForLease(
  platform: Platform,
  pendingLease: Promise<Lease>,
  signal: AbortSignal,
): Promise<Lease | null> {
  const stopExpiring = new AbortController();
  const expiring = expireListener(platform, AbortSignal.any([signal, stopExpiring.signal]));
  try {
    return await pendingLease;
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  } finally {
    stopExpiring.abort();
    await expiring;
  }
}

/** Forgets the listening process when it has not broadcast its status for too long. */
async function expireListener(platform: Platform, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleepUntilAborted(broadcastEveryMs, signal);
    const { listener } = platform;
    if (signal.aborted || !listener || Date.now() - listener.heardAt < trustedMs) continue;
    platform.listener = undefined;
    Object.assign(platform, { isLive: false, failure: "No process is listening to the network now." });
  }
}

function beginListening(platform: Platform): void {
  Object.assign(platform, { isListening: true, listener: undefined, isLive: false, failure: null });
  broadcastStatus(platform);
}

/** Closes an exclusive account before the next process may open it. */
async function endListening(platform: Platform, logger: Pick<Console, "warn">): Promise<void> {
  const { kind, connector } = platform;
  Object.assign(platform, { isListening: false, isLive: false });
  try {
    if (connector?.isExclusive) await connector.close?.();
  } catch (error) {
    logEvent(logger, "driver_close.failed", { kind, error: String(error) });
  }
}

/** Applies a broadcast of another process, which may have other networks during an upgrade. */
export function applyMessage(networks: Networks, update: PlatformUpdate, nodeId: string): void {
  const { network } = update;
  if (update.what === "unfollowed") noteMark(networks, update.externalId);
  if (update.what === "followed" && network !== undefined) noteMark(networks, update.externalId, network);
  const [first] = networks.platforms;
  const platform = network === undefined ? first : networks.platforms.find(each => each.network === network);
  if (platform) applyUpdate(platform, update, nodeId);
}

function applyUpdate(platform: Platform, update: PlatformUpdate, nodeId: string): void {
  const { tracked, missedRanges } = platform;
  switch (update.what) {
    case "followed":
      tracked.add(update.externalId);
      break;
    case "unfollowed":
      tracked.remove(update.externalId);
      break;
    case "reading":
      missedRanges.beginReading(update.externalId, update.reading);
      break;
    case "read":
      missedRanges.endReading(update.externalId, update.reading);
      break;
    case "listening":
      applyStatus(platform, update, nodeId);
  }
}

function applyStatus(
  platform: Platform,
  { isLive, failure }: { isLive: boolean; failure: string | null },
  nodeId: string,
): void {
  // It was sent before this process took over.
  if (platform.isListening) return;
  Object.assign(platform, { listener: { nodeId, heardAt: Date.now() }, isLive, failure });
}
