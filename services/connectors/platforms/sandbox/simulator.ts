import type { MicroblogMedia } from "../../../contracts/social.ts";
import type { SandboxAccount } from "../../../domain/sandbox/world.ts";
import {
  openedAt,
  phrase,
  picturesOf,
  type Schedule,
  slotsAfter,
  slotsBefore,
  untilNextSlot,
} from "./schedule.ts";

/** What an author says of a post, on the platforms that ask for it. */
export interface Remarks {
  language?: string;
  media?: MicroblogMedia[];
}

/** A post of an account of a simulated platform. No two posts of a platform have the same time. */
export interface SandboxPost extends Remarks {
  /** The id of the account. */
  account: string;
  /** Milliseconds since the epoch. */
  at: number;
  text: string;
}

/** Posts made on demand, which all processes of this simulated platform share. */
export interface PostMemory {
  /** All posts after a time, oldest first. */
  after(at: number): Promise<SandboxPost[]>;
  /**
   * Stores a post with the time that `timeOf` returns for the time of the latest post (0: none); `timeOf` may be called
   * several times. Resolves when every process can read it.
   */
  keep(post: Omit<SandboxPost, "at">, timeOf: (latest: number) => number): Promise<SandboxPost>;
}

interface SimulatorSettings {
  accounts: readonly SandboxAccount[];
  /** Milliseconds between scheduled posts; null for none. */
  everyMs: number | null;
  memory: PostMemory;
  now(): number;
}

/** Milliseconds between reads of posts that other processes may have made. */
const refreshMs = 2000;
/** Milliseconds by which a post of another process may appear after a younger one. */
const disorderMs = 60_000;

/**
 * The posts of one simulated platform: scheduled ones, which are a function of the time, and those made on demand, which
 * are stored. Times of posts only grow, so that they serve as identity and as cursor. Posts of other processes are known
 * after `refresh`.
 */
export class Simulator {
  readonly #settings: SimulatorSettings;
  readonly #scheduled: SandboxAccount[];
  #posts: SandboxPost[] = [];
  readonly #waiting = new Set<() => void>();
  #latest = 0;
  #writing: Promise<unknown> = Promise.resolve();
  #isDown = false;

  constructor(settings: SimulatorSettings) {
    this.#settings = settings;
    this.#scheduled = settings.accounts.filter(({ isQuiet }) => !isQuiet);
  }

  /** Reads the posts that any process has made on demand. */
  async refresh(): Promise<void> {
    const newest = this.#posts.at(-1)?.at ?? 0;
    this.#remember(await this.#settings.memory.after(newest - disorderMs));
  }

  /** A time that is earlier than every later post on demand. */
  now(): number {
    this.#latest = Math.max(this.#latest, this.#settings.now());
    return this.#latest;
  }

  /** Posts of the accounts after a time, oldest first. */
  after(accountIds: string[], after: number, limit: number): SandboxPost[] {
    const schedule = this.#scheduleOf(accountIds);
    const span = { after, upTo: this.now() };
    const scheduled = schedule
      ? slotsAfter(schedule, span, account => this.#belongsTo(accountIds, account), limit)
      : [];
    const onDemand = this.#posts.filter(({ account, at }) => at > after && accountIds.includes(account));
    const posts = [...scheduled.map(slot => this.#toPost(slot)), ...onDemand.slice(0, limit)];
    return posts.sort((a, b) => a.at - b.at).slice(0, limit);
  }

  /** Posts of the accounts before a time, newest first. */
  before(accountIds: string[], before: number, limit: number): SandboxPost[] {
    const schedule = this.#scheduleOf(accountIds);
    const end = Math.min(before, this.now() + 1);
    const scheduled = schedule
      ? slotsBefore(schedule, end, account => this.#belongsTo(accountIds, account), limit)
      : [];
    const onDemand = this.#posts.filter(({ account, at }) => at < before && accountIds.includes(account));
    const posts = [...scheduled.map(slot => this.#toPost(slot)), ...onDemand.slice(-limit)];
    return posts.sort((a, b) => b.at - a.at).slice(0, limit);
  }

  /** Posts on demand; resolves when it is stored. Sequential, so that no post appears after a younger one. */
  post(account: string, text: string, remarks: Remarks = {}): Promise<SandboxPost> {
    const written = this.#writing.then(async () => {
      const post = await this.#settings.memory.keep({ account, text, ...remarks }, latest =>
        this.#freeTime(latest),
      );
      this.#remember([post]);
      this.#notifyWaiting();
      return post;
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Resolves when there may be new posts, or the platform went down or up. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const schedule = this.#schedule;
      const waitMs = schedule ? untilNextSlot(schedule, this.#settings.now()) : refreshMs;
      const timer = setTimeout(end, Math.min(waitMs, refreshMs));
      this.#waiting.add(end);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Ids of all accounts. */
  get accountIds(): string[] {
    return this.#settings.accounts.map(({ id }) => id);
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Breaks or restores the live connections. */
  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    this.#notifyWaiting();
  }

  #remember(posts: SandboxPost[]): void {
    if (posts.length === 0) return;
    const known = new Set(this.#posts.map(({ at }) => at));
    const fresh = posts.filter(({ at }) => !known.has(at));
    this.#posts = [...this.#posts, ...fresh].sort((a, b) => a.at - b.at);
    this.#latest = Math.max(this.#latest, this.#posts.at(-1)?.at ?? 0);
  }

  /** A time after all posts and every time that `now` returned, and at no scheduled slot. */
  #freeTime(latest: number): number {
    const at = Math.max(this.now(), latest) + 1;
    const everyMs = this.#settings.everyMs ?? Number.POSITIVE_INFINITY;
    this.#latest = (at - openedAt) % everyMs === 0 ? at + 1 : at;
    return this.#latest;
  }

  #notifyWaiting(): void {
    for (const end of [...this.#waiting]) end();
  }

  get #schedule(): Schedule | undefined {
    const { everyMs } = this.#settings;
    return everyMs === null || this.#scheduled.length === 0
      ? undefined
      : { everyMs, accounts: this.#scheduled.length };
  }

  /** Undefined where none of the accounts posts on schedule: the search would go back to the opening. */
  #scheduleOf(accountIds: string[]): Schedule | undefined {
    return this.#scheduled.some(({ id }) => accountIds.includes(id)) ? this.#schedule : undefined;
  }

  #belongsTo(accountIds: string[], slot: number): boolean {
    return accountIds.includes(this.#scheduled[slot]?.id ?? "");
  }

  #toPost({ account, at, number }: { account: number; at: number; number: number }): SandboxPost {
    const remarks = { language: "en", media: picturesOf(number) };
    return { account: this.#scheduled[account]?.id ?? "", at, text: phrase(number), ...remarks };
  }
}

/*
 * Ids of posts in the form of snowflakes: the time in the upper bits, the lower ones unused. They grow, are unique in
 * their platform, and contain the time of the post.
 */

const spare = 22n;

export function postIdOf(at: number): string {
  return (BigInt(at - openedAt) << spare).toString();
}

/** Milliseconds since the epoch; undefined for an invalid id. */
export function timeOfPostId(id: string): number | undefined {
  if (!/^\d{1,19}$/.test(id)) return undefined;
  return Number(BigInt(id) >> spare) + openedAt;
}
