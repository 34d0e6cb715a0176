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

/** What a simulated account says in its turn: the same for the same number. */
export function phrase(turn: number): string {
  const at = mixed(turn);
  const [subject, verb, place] = [subjects, verbs, places].map((list, shift) =>
    pick(list, at >>> (shift * 8)),
  );
  return `${subject} ${verb} ${place}. (No. ${turn})`;
}

/** A count that belongs to a post for good, from 0 to below `below`. */
export function tally(post: number, below: number): number {
  return mixed(post) % below;
}

function pick(list: string[], number: number): string {
  return list[number % list.length] ?? "";
}

/** A finalizer of MurmurHash3: numbers that follow one another go far apart. */
function mixed(number: number): number {
  let bits = (number ^ Math.floor(number / 2 ** 32)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
