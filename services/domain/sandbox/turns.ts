/** Milliseconds: the first of January 2025, when the simulated platforms opened. */
export const openedAt = Date.UTC(2025, 0, 1);

/**
 * When simulated accounts post: every `everyMs` it is the next one's turn. All of it is a function of the time, so that
 * nothing has to be remembered and every start finds the same past.
 */
export interface Turns {
  everyMs: number;
  /** How many take turns. */
  voices: number;
}

/** The `voice`th one's turn `number`, counted over all. */
export interface Turn {
  at: number;
  number: number;
  voice: number;
}

/** The newest turns before a time, newest first, of those that `isWanted`. */
export function turnsBefore(
  turns: Turns,
  before: number,
  isWanted: (voice: number) => boolean,
  max: number,
): Turn[] {
  const found: Turn[] = [];
  let number = Math.ceil((before - openedAt) / turns.everyMs) - 1;
  for (; number >= 0 && found.length < max; number--) {
    const turn = turnOf(turns, number);
    if (isWanted(turn.voice)) found.push(turn);
  }
  return found;
}

/** The first turns after a time and up to another, oldest first, of those that `isWanted`. */
export function turnsAfter(
  turns: Turns,
  { after, upTo }: { after: number; upTo: number },
  isWanted: (voice: number) => boolean,
  max: number,
): Turn[] {
  const found: Turn[] = [];
  let turn = turnOf(turns, Math.max(0, Math.floor((after - openedAt) / turns.everyMs) + 1));
  for (; turn.at <= upTo && found.length < max; turn = turnOf(turns, turn.number + 1))
    if (isWanted(turn.voice)) found.push(turn);
  return found;
}

function turnOf({ everyMs, voices }: Turns, number: number): Turn {
  return { at: openedAt + number * everyMs, number, voice: number % voices };
}

/** Milliseconds until the next turn, at least 1. */
export function untilNextTurn({ everyMs }: Turns, now: number): number {
  return everyMs - ((((now - openedAt) % everyMs) + everyMs) % everyMs);
}
