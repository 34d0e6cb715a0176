import type { MicroblogMedia } from "../../../contracts/social.ts";

/** Milliseconds: the first of January 2025, when the simulated platforms opened. */
export const openedAt = Date.UTC(2025, 0, 1);

/**
 * When simulated accounts post: the next account posts every `everyMs`. The schedule is a function of the time, so
 * nothing is stored and every start finds the same past.
 */
export interface Schedule {
  everyMs: number;
  /** How many accounts take part. */
  accounts: number;
}

/** A scheduled post: slot `number` since the opening, of the account with this index. */
interface Slot {
  at: number;
  number: number;
  account: number;
}

/** The newest slots before a time, newest first, of wanted accounts. */
export function slotsBefore(
  schedule: Schedule,
  before: number,
  isWanted: (account: number) => boolean,
  max: number,
): Slot[] {
  const found: Slot[] = [];
  let number = Math.ceil((before - openedAt) / schedule.everyMs) - 1;
  for (; number >= 0 && found.length < max; number--) {
    const slot = slotOf(schedule, number);
    if (isWanted(slot.account)) found.push(slot);
  }
  return found;
}

/** The first slots after a time and up to another, oldest first, of wanted accounts. */
export function slotsAfter(
  schedule: Schedule,
  { after, upTo }: { after: number; upTo: number },
  isWanted: (account: number) => boolean,
  max: number,
): Slot[] {
  const found: Slot[] = [];
  let slot = slotOf(schedule, Math.max(0, Math.floor((after - openedAt) / schedule.everyMs) + 1));
  for (; slot.at <= upTo && found.length < max; slot = slotOf(schedule, slot.number + 1))
    if (isWanted(slot.account)) found.push(slot);
  return found;
}

function slotOf({ everyMs, accounts }: Schedule, number: number): Slot {
  return { at: openedAt + number * everyMs, number, account: number % accounts };
}

/** Milliseconds until the next slot, at least 1. */
export function untilNextSlot({ everyMs }: Schedule, now: number): number {
  return everyMs - ((((now - openedAt) % everyMs) + everyMs) % everyMs);
}

const subjects = [
  "A magpie",
  "The old crow",
  "A pair of jays",
  "Our youngest rook",
  "A raven with a torn wing",
  "Somebody's tame jackdaw",
];
const verbs = [
  "was seen near",
  "left a silver spoon at",
  "argued for an hour over",
  "built a second nest behind",
  "counted the people at",
  "slept through the storm in",
  "hid eleven acorns under",
];
const places = [
  "the old mill",
  "the station clock",
  "the third bench by the pond",
  "the bakery's back door",
  "the tallest poplar",
];

/** The text of a scheduled post: always the same for the same number. */
export function phrase(number: number): string {
  const [subject, verb, place] = wordsOf(number);
  return `${subject} ${verb} ${place}. (No. ${number})`;
}

/** A third of the scheduled posts have a picture. */
export function picturesOf(number: number): MicroblogMedia[] {
  if (mixed(number) % 3 !== 0) return [];
  const [subject, , place] = wordsOf(number);
  const url = `https://microblog.example/media/${number}`;
  return [
    { type: "image", url: `${url}.jpg`, preview_url: `${url}-small.jpg`, alt: `${subject} near ${place}.` },
  ];
}

function wordsOf(number: number): string[] {
  const at = mixed(number);
  return [subjects, verbs, places].map((list, shift) => pick(list, at >>> (shift * 8)));
}

/** A constant count for a post, from 0 to below `below`. */
export function tally(post: number, below: number): number {
  return mixed(post) % below;
}

function pick(list: string[], number: number): string {
  return list[number % list.length] ?? "";
}

/** A finalizer of MurmurHash3: maps consecutive numbers far apart. */
function mixed(number: number): number {
  let bits = (number ^ Math.floor(number / 2 ** 32)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
