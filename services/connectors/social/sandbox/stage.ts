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

/** What was said on demand, which all processes that simulate this platform share. */
export interface Memory {
  /** All that was said after a time, oldest first. */
  after(at: number): Promise<Said[]>;
  /**
   * Keeps something under the time that `timeOf` answers for that of the latest (0: none), which may be asked several
   * times. Resolves when all can read it.
   */
  keep(said: Omit<Said, "at">, timeOf: (latest: number) => number): Promise<Said>;
}

export interface StageSettings {
  voices: readonly Voice[];
  /** Milliseconds between posts on the clock; null: none. */
  everyMs: number | null;
  memory: Memory;
  now(): number;
}

/** Milliseconds between looks at what others may have said. */
const lookAgainMs = 2000;
/** Milliseconds for which something may come behind a younger one that another process has said. */
const disorderMs = 60_000;

/**
 * Where the voices of one simulated platform are heard: on the clock, which is a function of the time, and on demand,
 * which is kept. The time of what is said only grows, so that it serves as identity and as cursor. What others said is
 * known after `refresh`.
 */
export class Stage {
  readonly #settings: StageSettings;
  readonly #chatty: Voice[];
  #said: Said[] = [];
  readonly #stirred = new Set<() => void>();
  #latest = 0;
  #writing: Promise<unknown> = Promise.resolve();
  #isDown = false;

  constructor(settings: StageSettings) {
    this.#settings = settings;
    this.#chatty = settings.voices.filter(({ isQuiet }) => !isQuiet);
  }

  /** Takes in what was said on demand by whomever. */
  async refresh(): Promise<void> {
    const newest = this.#said.at(-1)?.at ?? 0;
    this.#remember(await this.#settings.memory.after(newest - disorderMs));
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
      const said = await this.#settings.memory.keep({ voice, text }, latest => this.#freeTime(latest));
      this.#remember([said]);
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
      const turnMs = turns ? untilNextTurn(turns, this.#settings.now()) : lookAgainMs;
      const timer = setTimeout(end, Math.min(turnMs, lookAgainMs));
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

  #remember(said: Said[]): void {
    if (said.length === 0) return;
    const known = new Set(this.#said.map(({ at }) => at));
    const fresh = said.filter(({ at }) => !known.has(at));
    this.#said = [...this.#said, ...fresh].sort((a, b) => a.at - b.at);
    this.#latest = Math.max(this.#latest, this.#said.at(-1)?.at ?? 0);
  }

  /** After all that was said and every time that was told, and at no turn of the clock. */
  #freeTime(latest: number): number {
    const at = Math.max(this.now(), latest) + 1;
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
