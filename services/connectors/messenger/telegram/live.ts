import type { tl } from "@mtcute/node";
import type { DriverTools, Listener } from "../../social/social-connector.ts";
import { knownChat } from "./chats.ts";
import { since } from "./history.ts";
import type { CallOptions, Line } from "./line.ts";
import { type Happening, readUpdates } from "./read-updates.ts";
import { toPost } from "./to-post.ts";

/** How far one source was told. */
interface Told {
  /** Place in the channel's sequence of updates, and the newest message; undefined until the first is heard. */
  pts?: number;
  id?: number;
  /** Resolves when all that was heard so far is told. */
  tail: Promise<void>;
}

/**
 * Tells what the connection brings, each source in order: an update that shows that others before it were lost makes
 * the history be read from the last message that was told. A new connection begins with a new one of these.
 */
export class Live {
  readonly #line: Line;
  readonly #listener: Listener;
  readonly #logger: DriverTools["logger"];
  readonly #options: CallOptions;
  readonly #told = new Map<string, Told>();

  constructor(line: Line, listener: Listener, logger: DriverTools["logger"], options: CallOptions) {
    this.#line = line;
    this.#listener = listener;
    this.#logger = logger;
    this.#options = options;
  }

  hear(updates: tl.TypeUpdates): void {
    const happenings = readUpdates(updates);
    if (happenings === null) this.#ask();
    const chats = "chats" in updates ? updates.chats : [];
    for (const happening of happenings ?? []) this.#queue(happening, chats);
  }

  /** Resolves once all that was heard is told. */
  async end(): Promise<void> {
    await Promise.all([...this.#told.values()].map(({ tail }) => tail));
  }

  #queue(happening: Happening, chats: tl.TypeChat[]): void {
    const externalId = String(happening.id);
    if (!this.#listener.isTracked(externalId)) {
      this.#told.delete(externalId);
      return;
    }
    const told = this.#told.get(externalId) ?? { tail: Promise.resolve() };
    this.#told.set(externalId, told);
    told.tail = told.tail
      .then(() => this.#take(externalId, told, happening, chats))
      .catch(error => {
        this.#forget(externalId, error);
      });
  }

  async #take(externalId: string, told: Told, happening: Happening, chats: tl.TypeChat[]): Promise<void> {
    const { step, message, isBehind } = happening;
    if (this.#options.signal.aborted || isKnown(told, step)) return;
    if (isBehind || isAhead(told, step)) await this.#catchUp(externalId, told);
    else if (message && message.id > (told.id ?? 0)) {
      const known = await knownChat(this.#line, happening.id);
      // Short forms of updates come without their group.
      const post = toPost(message, known ? [...chats, known] : chats);
      await this.#listener.onPosts(externalId, [post]);
      told.id = message.id;
    }
    if (step) told.pts = step.pts;
  }

  async #catchUp(externalId: string, told: Told): Promise<void> {
    if (told.id === undefined) return await this.#listener.onGap([externalId]);
    for (let more = true; more; ) {
      const news = await since(this.#line, externalId, String(told.id), this.#options);
      if (news.posts.length > 0) await this.#listener.onPosts(externalId, news.posts);
      told.id = Number(news.cursor);
      more = news.more;
    }
  }

  /** What was not told is read by the next poll, which is to come soon. */
  #forget(externalId: string, error: unknown): void {
    this.#told.delete(externalId);
    if (this.#options.signal.aborted) return;
    this.#logger.warn("telegram.not_told", { externalId, error: (error as Error).message });
    this.#ask([externalId]);
  }

  #ask(externalIds?: string[]): void {
    this.#listener.onGap(externalIds).catch(error => {
      this.#logger.warn("telegram.gap_not_told", { externalIds, error: (error as Error).message });
    });
  }
}

/** Told before, by itself or in the history. An update that takes no place in the sequence repeats nothing. */
function isKnown({ pts }: Told, step: Happening["step"]): boolean {
  return pts !== undefined && step !== undefined && step.pts < pts + Math.min(1, step.count);
}

/** There is a gap before it. */
function isAhead({ pts }: Told, step: Happening["step"]): boolean {
  return pts !== undefined && step !== undefined && step.pts > pts + step.count;
}
