/** Values of words, found by the codes of their characters, so that no word is cut out of its text. */
export class WordTable {
  /** For a hash the number of its word plus one, or 0 where it is free; a taken slot is followed by the next free one. */
  private readonly slots: Int32Array;
  private readonly mask: number;
  /** The codes of all words, one after the other, and where each begins. */
  private readonly codes: Uint16Array;
  private readonly starts: Int32Array;

  /** Words that are distinct. `find` gives their places in the list. */
  constructor(words: readonly string[]) {
    let size = 16;
    while (size < 2 * words.length) size *= 2;
    this.slots = new Int32Array(size);
    this.mask = size - 1;
    this.starts = new Int32Array(words.length + 1);
    this.codes = new Uint16Array(words.reduce((sum, word) => sum + word.length, 0));
    let at = 0;
    words.forEach((word, place) => {
      let hash = noHash;
      for (let index = 0; index < word.length; index++) {
        const code = word.charCodeAt(index);
        this.codes[at++] = code;
        hash = hashWith(hash, code);
      }
      this.starts[place + 1] = at;
      let slot = slotOf(hash) & this.mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask;
      this.slots[slot] = place + 1;
    });
  }

  /** The place of the word that is `codes` from `start` up to `end`, whose hash is known; -1 if there is none. */
  find(codes: Uint16Array, start: number, end: number, hash: number): number {
    for (let slot = slotOf(hash) & this.mask; ; slot = (slot + 1) & this.mask) {
      const place = this.slots[slot]! - 1;
      if (place < 0 || this.isWord(place, codes, start, end)) return place;
    }
  }

  private isWord(place: number, codes: Uint16Array, start: number, end: number): boolean {
    const first = this.starts[place]!;
    if (this.starts[place + 1]! - first !== end - start) return false;
    for (let at = start; at < end; at++) if (this.codes[first + at - start] !== codes[at]) return false;
    return true;
  }
}

/** The hash of the empty word; that of a longer one follows from that of its beginning. */
export const noHash = 0;

export function hashWith(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

function slotOf(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
