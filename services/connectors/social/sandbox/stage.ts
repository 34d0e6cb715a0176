import { phrase } from "../../../domain/sandbox/phrase.ts";
import {
  openedAt,
  type Turns,
  turnsAfter,
  turnsBefore,
  untilNextTurn,
} from "../../../domain/sandbox/turns.ts";
import type { Voice } from "../../../domain/sandbox/world.ts";

/** Something that a voice of a simulated platform said. No two of a platform have the same time. */
export interface Said {
  /** The voice's id. */
  voice: string;
  /** Milliseconds since the epoch. */
  at: number;
  text: string;
}

export interface StageSettings {
  voices: readonly Voice[];
  /** Milliseconds between posts on the clock; null: none. */
  everyMs: number | null;
  /** What was said on demand before, oldest first. */
  said: Said[];
  /** Resolves when it will be in `said` at the next start. */
  keep(said: Said): Promise<unknown>;
  now(): number;
}

/**
 * Where the voices of one simulated platform are heard: on the clock, which is a function of the time, and on demand,
 * which is kept. The time of what is said only grows, so that it serves as identity and as cursor.
 */
export class Stage {
  readonly #settings: StageSettings;
  readonly #chatty: Voice[];
  readonly #said: Said[];
  readonly #stirred = new Set<() => void>();
  #latest = 0;
  #writing: Promise<unknown> = Promise.resolve();
  #isDown = false;

  constructor(settings: StageSettings) {
    this.#settings = settings;
    this.#said = [...settings.said];
    this.#chatty = settings.voices.filter(({ isQuiet }) => !isQuiet);
    this.#latest = this.#said.at(-1)?.at ?? 0;
  }

  /** Everything that is said on demand from now on is younger than this. */
  now(): number {
    this.#latest = Math.max(this.#latest, this.#settings.now());
    return this.#latest;
  }

  /** What the voices said after a time, oldest first. */
  after(voices: string[], after: number, limit: number): Said[] {
    const turns = this.#turnsOf(voices);
    const span = { after, upTo: this.now() };
    const onClock = turns ? turnsAfter(turns, span, voice => this.#isOf(voices, voice), limit) : [];
    const onDemand = this.#said.filter(({ voice, at }) => at > after && voices.includes(voice));
    const said = [...onClock.map(turn => this.#inTurn(turn)), ...onDemand.slice(0, limit)];
    return said.sort((a, b) => a.at - b.at).slice(0, limit);
  }

  /** What the voices said before a time, newest first. */
  before(voices: string[], before: number, limit: number): Said[] {
    const turns = this.#turnsOf(voices);
    const end = Math.min(before, this.now() + 1);
    const onClock = turns ? turnsBefore(turns, end, voice => this.#isOf(voices, voice), limit) : [];
    const onDemand = this.#said.filter(({ voice, at }) => at < before && voices.includes(voice));
    const said = [...onClock.map(turn => this.#inTurn(turn)), ...onDemand.slice(-limit)];
    return said.sort((a, b) => b.at - a.at).slice(0, limit);
  }

  /** Says something on demand; resolves when it is kept. One after another, so that none appears behind a younger one. */
  say(voice: string, text: string): Promise<Said> {
    const written = this.#writing.then(async () => {
      const said = { voice, text, at: this.#freeTime() };
      await this.#settings.keep(said);
      this.#said.push(said);
      this.#stir();
      return said;
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Resolves when something may have been said, or the stage went down or up. */
  stirred(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer);
        this.#stirred.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const turns = this.#turns;
      const timer = turns && setTimeout(end, untilNextTurn(turns, this.#settings.now()));
      this.#stirred.add(end);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Ids of all that have a voice here. */
  get voices(): string[] {
    return this.#settings.voices.map(({ id }) => id);
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Breaks and mends the live connections to it. */
  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    this.#stir();
  }

  /** After all that was said and every time that was told, and at no turn of the clock. */
  #freeTime(): number {
    const at = this.now() + 1;
    const everyMs = this.#settings.everyMs ?? Number.POSITIVE_INFINITY;
    this.#latest = (at - openedAt) % everyMs === 0 ? at + 1 : at;
    return this.#latest;
  }

  #stir(): void {
    for (const end of [...this.#stirred]) end();
  }

  get #turns(): Turns | undefined {
    const { everyMs } = this.#settings;
    return everyMs === null || this.#chatty.length === 0
      ? undefined
      : { everyMs, voices: this.#chatty.length };
  }

  /** Undefined where none of the voices has a turn: one would be looked for since the opening. */
  #turnsOf(voices: string[]): Turns | undefined {
    return this.#chatty.some(({ id }) => voices.includes(id)) ? this.#turns : undefined;
  }

  #isOf(voices: string[], turn: number): boolean {
    return voices.includes(this.#chatty[turn]?.id ?? "");
  }

  #inTurn({ voice, at, number }: { voice: number; at: number; number: number }): Said {
    return { voice: this.#chatty[voice]?.id ?? "", at, text: phrase(number) };
  }
}
