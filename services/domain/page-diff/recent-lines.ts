/**
 * What was made of the lines that were read of late. A page is compared with itself: of one check to the next, most of its
 * lines are the same. Bounded by characters: the lines that nobody asked for since half of them were added are forgotten.
 */
export class RecentLines {
  readonly #make: (line: string) => string;
  readonly #halfOf: number;
  #recent = new Map<string, string>();
  #former = new Map<string, string>();
  #length = 0;

  constructor(maxLength: number, make: (line: string) => string) {
    this.#make = make;
    this.#halfOf = maxLength / 2;
  }

  of(line: string): string {
    const recent = this.#recent.get(line);
    if (recent !== undefined) return recent;
    const made = this.#former.get(line) ?? this.#make(line);
    this.#keep(detached(line), detached(made));
    return made;
  }

  #keep(line: string, made: string): void {
    const length = line.length + made.length;
    if (length > this.#halfOf) return;
    if (this.#length + length > this.#halfOf) {
      this.#former = this.#recent;
      this.#recent = new Map();
      this.#length = 0;
    }
    this.#recent.set(line, made);
    this.#length += length;
  }
}

/** A copy: a string that is part of another one keeps all of that in memory, here the whole page. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}
