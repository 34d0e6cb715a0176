import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { maxWindow } from "../../domain/delivery/apply-outcome.ts";
import { batchBytes } from "../../domain/delivery/delivery-options.ts";
import { filePath, planFile } from "../../domain/delivery/files.ts";
import { type Attempt, type Lane, markDone, type PendingEvent } from "../../domain/delivery/lane.ts";
import { writesFiles } from "../destinations/kinds.ts";
import { clientCertificateOf } from "../endpoints/client-certificate.ts";
import { ownHeadersOf, replacedSecrets } from "../endpoints/vault.ts";
import { groupMs, promptGroupMs } from "../journal/step-groups.ts";
import { attemptAt, attemptLine, hasUrl } from "../webhooks.store.ts";
import { type ActiveLane, type OutgoingEvent, toBuffered } from "./active-lane.ts";
import type { LaneContext } from "./context.ts";
import { deliver } from "./deliver.ts";
import { applyPassed } from "./passed-events.ts";
import type { QuotaHold } from "./quota-hold.ts";
import type { ShardOwnership } from "./shard-ownership.ts";
import type { Target } from "./target.ts";

const errorPauseMs = 1_000;

/**
 * Makes the attempts of one lane: collects the events, signs, sends, and records the outcome. The lane's worker decides
 * when.
 */
export class Attempts {
  readonly #context: LaneContext;
  readonly #ownership: ShardOwnership;
  readonly #active: ActiveLane;
  readonly #hold: QuotaHold;
  readonly #isCurrent: () => boolean;
  readonly #onOutcome: () => void;

  /**
   * `onOutcome` is called when there may be more to send; `isCurrent` is false when this lane must not be written any
   * more.
   */
  constructor(
    context: LaneContext,
    ownership: ShardOwnership,
    active: ActiveLane,
    hold: QuotaHold,
    isCurrent: () => boolean,
    onOutcome: () => void,
  ) {
    this.#context = context;
    this.#ownership = ownership;
    this.#active = active;
    this.#hold = hold;
    this.#isCurrent = isCurrent;
    this.#onOutcome = onOutcome;
  }

  /** Makes one attempt; it stays under way until its outcome is stored. Never rejects. */
  async make(attempt: Attempt): Promise<void> {
    const { underWay, accepted } = this.#active;
    try {
      const outgoing = await this.#contentsOf(attempt.events);
      const events = attempt.events.filter(({ seq }) => outgoing.has(seq));
      if (events.length < attempt.events.length) await this.#dropExpired(attempt, outgoing);
      const charged = await this.#hold.charge(attempt.epoch, events, outgoing);
      const due = writesFiles(this.#active.endpoint.destination) ? beforeGap(events, charged) : charged;
      const contents = due.flatMap(({ seq }) => outgoing.get(seq) ?? []);
      if (due.length > 0) await this.#deliver(attempt, { ...attempt, events: due }, contents);
    } catch (error) {
      const { onStoreError, signal } = this.#context;
      onStoreError([this.#active.laneId], error);
      // Keep the slot occupied for a while: a free slot is used at once, and would fail as often.
      await sleepUntilAborted(errorPauseMs, signal);
    } finally {
      underWay.delete(attempt);
      accepted.delete(attempt);
    }
    this.#onOutcome();
  }

  /** Changes the lane, unless another node works it. */
  async change(change: (lane: Lane) => Lane): Promise<void> {
    const { laneId } = this.#active;
    await this.#context.journal.writeOutcome(laneId, batch => {
      const lane = batch.lane(laneId);
      if (lane && this.#isCurrent()) batch.setLane(laneId, change(lane));
    });
  }

  /** These events expired while they waited for another attempt, or are no longer wanted. */
  async #dropExpired({ events }: Attempt, kept: ReadonlyMap<number, OutgoingEvent>): Promise<void> {
    const gone = events.map(({ seq }) => seq).filter(seq => !kept.has(seq));
    await this.change(lane => markDone(lane, gone));
  }

  /** The events' contents, in order; those that have expired or are no longer wanted are missing. */
  async #contentsOf(events: readonly PendingEvent[]): Promise<Map<number, OutgoingEvent>> {
    const { buffer } = this.#active;
    const unread = events.filter(({ seq }) => !buffer.has(seq));
    const read = unread.length > 0 ? await this.#read(unread) : undefined;
    const outgoing = new Map<number, OutgoingEvent>();
    for (const { seq } of events) {
      const content = buffer.get(seq) ?? read?.get(seq);
      if (content) outgoing.set(seq, content);
    }
    return outgoing;
  }

  /** Reads consecutive events together. */
  async #read(events: readonly PendingEvent[]): Promise<Map<number, OutgoingEvent>> {
    const wanted = new Set(events.map(({ seq }) => seq));
    const read = new Map<number, OutgoingEvent>();
    for (let [seq] = wanted; seq !== undefined; [seq] = wanted) {
      const bytes = wanted.size > 1 ? batchBytes : 0;
      const found = await this.#context.log.readWithin(this.#active.keyId, seq - 1, {
        events: wanted.size,
        bytes,
      });
      const asked = found.events.filter(event => wanted.delete(event.seq));
      // The filter may have changed since they failed. Those before it let them pass, or a replay has asked for them.
      const chosen = await this.#context.wanted.of({ ...this.#active.endpoint, former: [] }, asked);
      for (const event of chosen) read.set(event.seq, toBuffered(event));
      wanted.delete(seq);
    }
    return read;
  }

  async #deliver(underWay: Attempt, attempt: Attempt, outgoing: OutgoingEvent[]): Promise<void> {
    const { logger, onAttempted, slow } = this.#context;
    const { laneId, endpoint, accepted } = this.#active;
    const destination = await this.#destinationOf(attempt, outgoing);
    if (destination === null) return await this.#hold.settle(attempt.epoch, attempt.events, false);
    const target = attempt.diverted ? await this.#fallback() : this.#own(destination);
    const delivered = await deliver(this.#context, {
      target,
      hasFallback: Boolean(endpoint.fallback) && !endpoint.digest,
      ownership: this.#ownership,
      attempt,
      outgoing,
      isCurrent: this.#isCurrent,
      passOver: lane => applyPassed(this.#active.passed, lane),
      onAnswer: ok => {
        if (!ok) return;
        // The next events of these conversations may be sent: these have arrived.
        accepted.add(underWay);
        this.#onOutcome();
      },
      patienceMs: () => this.#patienceMs(),
    });
    // Otherwise the event will be sent again, here or by another node, and then finds its charge.
    if (!delivered) return;
    const { failedNow, attempts } = delivered;
    const [first] = attempts;
    await this.#hold.settle(attempt.epoch, attempt.events, first?.outcome === "succeeded");
    if (first?.outcome === "succeeded") slow.note(laneId, first.duration_ms);
    else slow.forget(laneId);
    for (const [n, made] of attempts.entries()) {
      onAttempted(made, outgoing[n]?.timestamp);
      logEvent(logger, "delivery.attempted", attemptLine(made));
    }
    if (failedNow && first) logEvent(logger, "webhook.failed", attemptLine(first));
  }

  /** Where the events are written to, if that is no URL. A file is planned first; null when the lane was changed meanwhile. */
  async #destinationOf(
    { events, epoch }: Attempt,
    [first]: OutgoingEvent[],
  ): Promise<Target["destination"] | null> {
    const { endpoint, laneId } = this.#active;
    if (!endpoint.destination) return undefined;
    if (!writesFiles(endpoint.destination)) return { endpoint, path: "" };
    const at = Date.parse(first?.timestamp ?? "");
    // It survives a loss of power, and so does then what became of the file before it.
    const lane = await this.#context.journal.write(laneId, batch => {
      const before = batch.lane(laneId);
      if (!before || before.epoch !== epoch || !this.#isCurrent()) return null;
      const planned = planFile(before, events, at);
      batch.setLane(laneId, planned);
      return planned;
    });
    return lane && { endpoint, path: filePath(lane, endpoint.webhookId) };
  }

  #own(destination: Target["destination"]): Target {
    this.#unseal(Date.now());
    const { laneId, url, endpoint, signingKeys, ownHeaders, clientCertificate } = this.#active;
    const inBatches = Boolean(endpoint.batch);
    const at = attemptAt(endpoint);
    const { webhookId, format, template, transform, metadata, timeoutMs } = endpoint;
    return {
      ...{ laneId, webhookId, at, url, inBatches, signingKeys, ownHeaders, clientCertificate },
      ...{ format, template, transform, metadata, timeoutMs, destination },
    };
  }

  /** The endpoint that stands in for this one, with its own form and keys; the attempt is listed at this one. */
  async #fallback(): Promise<Target> {
    const { laneId, keyId, endpoint } = this.#active;
    const { journal, vault } = this.#context;
    const found = await journal.endpointOf(keyId, endpoint.fallback ?? "");
    const at = attemptAt(endpoint);
    if (!found || !hasUrl(found))
      return { laneId, at, url: this.#active.url, isGone: true, inBatches: false, signingKeys: [] };
    const { webhookId, url, format, template, transform, metadata, timeoutMs } = found;
    return {
      ...{ laneId, webhookId, at, url: new URL(url), inBatches: false },
      ...{ format, template, transform, metadata, timeoutMs },
      signingKeys: vault.signingKeys(found, Date.now()),
      ownHeaders: ownHeadersOf(vault, found),
      clientCertificate: clientCertificateOf(vault, found),
    };
  }

  /** Accepted attempts take the places of others once they are more than the window. */
  #patienceMs(): number {
    const { accepted, laneId } = this.#active;
    const window = this.#context.journal.lane(laneId)?.window ?? 0;
    if (accepted.size <= window) return groupMs;
    return accepted.size <= maxWindow ? promptGroupMs : 0;
  }

  #unseal(now: number): void {
    const active = this.#active;
    if (now < active.keysUntil) return;
    const { vault } = this.#context;
    active.signingKeys = vault.signingKeys(active.endpoint, now);
    active.ownHeaders = ownHeadersOf(vault, active.endpoint);
    active.clientCertificate = clientCertificateOf(vault, active.endpoint);
    active.keysUntil = Math.min(...replacedSecrets(active.endpoint, now).map(({ until }) => until));
  }
}

/** Those of the chosen events that no other one comes before. */
function beforeGap(events: readonly PendingEvent[], chosen: readonly PendingEvent[]): PendingEvent[] {
  const gap = events.findIndex((event, at) => chosen[at] !== event);
  return gap < 0 ? [...chosen] : chosen.slice(0, gap);
}
