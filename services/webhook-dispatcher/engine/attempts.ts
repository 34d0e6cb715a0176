import { setTimeout as wait } from "node:timers/promises";
import { type Attempt, type Lane, settled } from "../../domain/delivery/lane.ts";
import { replacedSecrets } from "../vault.ts";
import { deliver } from "./deliver.ts";
import type { Floor } from "./lane-worker.ts";
import { bufferedOf, type Parcel, type Running } from "./running.ts";
import type { Tenure } from "./tenure.ts";

const onlyOne = { events: 1, bytes: 0 };
const troubleMs = 1_000;

/** The attempts of one lane: what is sent, and what comes of it. When an event is due is for the lane's worker to say. */
export class Attempts {
  readonly #floor: Floor;
  readonly #tenure: Tenure;
  readonly #running: Running;
  readonly #isCurrent: () => boolean;
  readonly #onOutcome: () => void;

  /** `onOutcome` is told when there may be more to send, and `isCurrent` tells whether this lane is still to be written. */
  constructor(
    floor: Floor,
    tenure: Tenure,
    running: Running,
    isCurrent: () => boolean,
    onOutcome: () => void,
  ) {
    this.#floor = floor;
    this.#tenure = tenure;
    this.#running = running;
    this.#isCurrent = isCurrent;
    this.#onOutcome = onOutcome;
  }

  /** Makes an attempt that is under way; it is so no more when its outcome is on disk. Never rejects. */
  async make(attempt: Attempt): Promise<void> {
    const { seq } = attempt;
    const { buffer, underWay, taken } = this.#running;
    try {
      const parcel = buffer.find(each => each.seq === seq) ?? (await this.#read(seq));
      if (parcel) await this.#deliver(attempt, parcel);
      // Expired while it waited for another attempt.
      else await this.change(lane => settled(lane, seq));
    } catch (error) {
      const { onTrouble, signal } = this.#floor;
      onTrouble([this.#running.keyId], error);
      // Its place stays taken for a while: whatever is free is tried at once, and would fail as often.
      await wait(troubleMs, undefined, { signal }).catch(() => undefined);
    } finally {
      underWay.delete(seq);
      taken.delete(seq);
    }
    this.#onOutcome();
  }

  /** Writes the lane, unless it has become another's to work. */
  async change(change: (lane: Lane) => Lane): Promise<void> {
    const { keyId } = this.#running;
    await this.#floor.journal.settle(keyId, batch => {
      const lane = batch.lane(keyId);
      if (lane && this.#isCurrent()) batch.setLane(keyId, change(lane));
    });
  }

  async #read(seq: number): Promise<Parcel | undefined> {
    const { events } = await this.#floor.log.readPortion(this.#running.keyId, seq - 1, onlyOne);
    const [event] = events;
    return event?.seq === seq ? bufferedOf(event) : undefined;
  }

  async #deliver(attempt: Attempt, parcel: Parcel): Promise<void> {
    const { agent, journal, logger, onTrouble, schedule, signal, slow } = this.#floor;
    const { keyId, url, endpoint, underWay, taken } = this.#running;
    const target = { keyId, url, revision: endpoint.revision, signingKeys: this.#signingKeys(Date.now()) };
    const onAnswer = (ok: boolean) => {
      if (!ok) return;
      taken.add(attempt.seq);
      // The next event of its source may go: this one has arrived before it.
      underWay.set(attempt.seq, { ...attempt, source: null });
      this.#onOutcome();
    };
    const stillThere = this.#isCurrent;
    const parts = { agent, journal, schedule, target, attempt, parcel, stillThere, onAnswer };
    const delivered = await deliver({ ...parts, tenure: this.#tenure, onTrouble, signal });
    if (!delivered) return;
    const { failedNow, line } = delivered;
    if (line.outcome === "succeeded") slow.note(keyId, line.duration_ms);
    else slow.forget(keyId);
    logger.debug("delivery.attempted", line);
    if (failedNow) logger.info("webhook.failed", line);
  }

  #signingKeys(now: number): Running["signingKeys"] {
    const running = this.#running;
    if (now < running.keysUntil) return running.signingKeys;
    running.signingKeys = this.#floor.vault.signingKeys(running.endpoint, now);
    running.keysUntil = Math.min(...replacedSecrets(running.endpoint, now).map(({ until }) => until));
    return running.signingKeys;
  }
}
