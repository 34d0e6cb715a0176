/** A rule of a robots.txt: a path in which `*` is any text and `$` at the end is the end of the path. */
export interface PathRule {
  path: string;
  isAllowed: boolean;
}

/**
 * What a rule that fits says: the longest one counts, and among equals one that allows (RFC 9309, 2.2.2). The length is
 * that of the rule as it is written.
 */
interface Verdict {
  length: number;
  isAllowed: boolean;
}

/** Whether a path may be fetched. Time is linear in the path, whatever the rules are (see `compileWildcards`). */
export function pathRules(rules: readonly PathRule[]): (path: string) => boolean {
  const prefixes = new Map<string, Verdict>();
  const exact = new Map<string, Verdict>();
  const wild: PathRule[] = [];
  for (const rule of rules) {
    const { kind, text } = formOf(rule.path);
    const verdict = { length: rule.path.length, isAllowed: rule.isAllowed };
    if (kind === "wild") wild.push(rule);
    else if (kind === "exact") exact.set(text, better(exact.get(text), verdict));
    else prefixes.set(text, better(prefixes.get(text), verdict));
  }
  const byPrefix = new Prefixes(prefixes);
  const byWildcard: Wildcards | undefined = wild.length > 0 ? compileWildcards(wild) : undefined;
  return path => {
    const plain = better(byPrefix.verdictOn(path), exact.get(path));
    return better(plain, byWildcard?.verdictOn(path)).isAllowed;
  };
}

/** Stars at the end change nothing but the length: what is left of the rule is the beginning of a path. */
function formOf(path: string): { kind: "prefix" | "exact" | "wild"; text: string } {
  const beginning = path.replace(/\*\$?$/, "");
  if (beginning.includes("*")) return { kind: "wild", text: path };
  if (beginning !== path) return { kind: "prefix", text: beginning };
  return path.endsWith("$") ? { kind: "exact", text: path.slice(0, -1) } : { kind: "prefix", text: path };
}

/** Without any rule a path is allowed. */
const nothingSaid: Verdict = { length: -1, isAllowed: true };

function better(one: Verdict = nothingSaid, other: Verdict = nothingSaid): Verdict {
  if (one.length !== other.length) return one.length > other.length ? one : other;
  return one.isAllowed ? one : other;
}

interface Prefix {
  text: string;
  /** The next shorter one that is a beginning of this one. */
  parent: Prefix | undefined;
  /** The verdict of this rule and of all rules that begin it. */
  verdict: Verdict;
}

/** Beginnings of paths, sorted. The longest that begins a path is the nearest one before it, or one of its parents. */
class Prefixes {
  readonly #sorted: Prefix[] = [];

  constructor(verdicts: ReadonlyMap<string, Verdict>) {
    let last: Prefix | undefined;
    for (const text of [...verdicts.keys()].sort()) {
      while (last && !text.startsWith(last.text)) last = last.parent;
      last = { text, parent: last, verdict: better(verdicts.get(text), last?.verdict) };
      this.#sorted.push(last);
    }
  }

  verdictOn(path: string): Verdict | undefined {
    const nearest = this.#nearestBefore(path);
    const equal = nearest ? equalLength(nearest.text, path) : 0;
    for (let prefix = nearest; prefix; prefix = prefix.parent)
      if (prefix.text.length <= equal) return prefix.verdict;
    return undefined;
  }

  #nearestBefore(path: string): Prefix | undefined {
    let [from, to] = [0, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#sorted[middle]?.text ?? "") <= path) from = middle + 1;
      else to = middle;
    }
    return this.#sorted[from - 1];
  }
}

function equalLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Compiled rules with `*` within them. */
export interface Wildcards {
  /** Machine words that each character of a path costs. */
  words: number;
  verdictOn(path: string): Verdict | undefined;
}

/**
 * Compiles rules into one automaton whose states are bits, 32 to a word (Baeza-Yates and Gonnet, "A new approach to text
 * searching", 1992). A state says that so many characters of a rule have been found; a `*` there keeps it. A path costs
 * its length times the words of all rules, whatever the rules and the path are.
 */
export function compileWildcards(rules: readonly PathRule[]): Wildcards {
  const states = rules.reduce((sum, { path }) => sum + literalsOf(path).length + 1, 0);
  const words = Math.ceil(states / 32);
  const automaton = new Automaton(words);
  for (const rule of rules) automaton.add(rule);
  return { words, verdictOn: path => automaton.verdictOn(path) };
}

function literalsOf(path: string): string {
  return path.replace(/\$$/, "").replaceAll("*", "");
}

class Automaton {
  readonly #words: number;
  /** The states before any character. */
  readonly #first: Int32Array;
  /** The states that stay, whatever character comes. */
  readonly #staying: Int32Array;
  /** The class of all characters that no rule has. */
  readonly #none: Int32Array;
  /** The states that each character leads to from the state before. */
  readonly #reached = new Map<number, Int32Array>();
  /** The states at which a rule fits a path, with what it says. */
  readonly #final: { state: number; verdict: Verdict }[] = [];
  #states = 0;

  constructor(words: number) {
    this.#words = words;
    this.#first = new Int32Array(words);
    this.#staying = new Int32Array(words);
    this.#none = new Int32Array(words);
  }

  add({ path, isAllowed }: PathRule): void {
    const isWhole = path.endsWith("$");
    let state = this.#states;
    set(this.#first, state);
    for (const character of isWhole ? path.slice(0, -1) : path)
      if (character === "*") set(this.#staying, state);
      else {
        state += 1;
        set(this.#reachedBy(character.charCodeAt(0)), state);
      }
    // A rule without `$` fits whatever follows.
    if (!isWhole) set(this.#staying, state);
    this.#final.push({ state, verdict: { length: path.length, isAllowed } });
    this.#states = state + 1;
  }

  verdictOn(path: string): Verdict | undefined {
    const states = this.#statesAfter(path);
    const fitting = this.#final.filter(({ state }) => isSet(states, state));
    return fitting.reduce<Verdict | undefined>((best, { verdict }) => better(best, verdict), undefined);
  }

  #statesAfter(path: string): Int32Array {
    const states = this.#first.slice();
    for (let at = 0; at < path.length; at += 1)
      step(states, this.#reached.get(path.charCodeAt(at)) ?? this.#none, this.#staying);
    return states;
  }

  #reachedBy(character: number): Int32Array {
    const known = this.#reached.get(character);
    if (known) return known;
    const fresh = new Int32Array(this.#words);
    this.#reached.set(character, fresh);
    return fresh;
  }
}

/** Changes the states as one character does. */
function step(states: Int32Array, reached: Int32Array, staying: Int32Array): void {
  let carry = 0;
  for (let n = 0; n < states.length; n += 1) {
    const before = states[n] as number;
    states[n] = (((before << 1) | carry) & (reached[n] as number)) | (before & (staying[n] as number));
    carry = before >>> 31;
  }
}

function set(words: Int32Array, state: number): void {
  words[state >>> 5] = (words[state >>> 5] ?? 0) | (1 << (state & 31));
}

function isSet(words: Int32Array, state: number): boolean {
  return ((words[state >>> 5] ?? 0) & (1 << (state & 31))) !== 0;
}
