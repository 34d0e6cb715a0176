import { fail } from "../../contracts/errors.ts";
import { errorOf, type PlainError, plainError } from "./plain-error.ts";

/** What carries messages to another thread. */
export interface Channel {
  postMessage(messages: unknown): void;
}

export interface Question {
  is: "ask";
  id: number;
  name: string;
  given: unknown[];
}

export type Answered =
  | { is: "answer"; id: number; value: unknown }
  | { is: "answer"; id: number; error: PlainError };

/** Functions that the other end may call. */
export type Callable = Record<string, (...given: never[]) => Promise<unknown>>;

/**
 * An end of the way between two threads. What is posted in one turn of the event loop goes as one message: a message costs as
 * much as several deliveries.
 */
export class Port<Message, Theirs extends Callable> {
  readonly #channel: Channel;
  readonly #asked = new Map<number, PromiseWithResolvers<never>>();
  #next: (Message | Question | Answered)[] = [];
  #lastId = 0;
  #isClosed = false;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** `joins` may add the message to the last one of this turn. */
  post(message: Message | Question | Answered, joins?: (last: Message) => boolean): void {
    if (this.#isClosed) return;
    const last = this.#next.at(-1);
    if (last && joins?.(last as Message)) return;
    if (this.#next.length === 0) setImmediate(() => this.flush());
    this.#next.push(message);
  }

  /** Posts what waits. */
  flush(): void {
    const messages = this.#next;
    this.#next = [];
    if (messages.length > 0) this.#send(messages);
  }

  /** What cannot be copied fails alone. */
  #send(messages: (Message | Question | Answered)[]): void {
    try {
      this.#channel.postMessage(messages);
    } catch (error) {
      if (messages.length > 1) for (const message of messages) this.#send([message]);
      else this.#unsent(messages[0] as Question | Answered, error);
    }
  }

  /** The caller gets the error, of a question or of its answer. */
  #unsent(message: Question | Answered, cause: unknown): void {
    const error = fail("internal_error", "A message between threads cannot be copied.", {}, cause);
    if (message.is === "answer")
      this.#channel.postMessage([{ is: "answer", id: message.id, error: plainError(error) }]);
    else if (message.is === "ask") this.#answered({ is: "answer", id: message.id, error: plainError(error) });
    else throw error;
  }

  /** Calls a function of the other end. */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    ...given: Parameters<Theirs[Name]>
  ): ReturnType<Theirs[Name]> {
    if (this.#isClosed) return Promise.reject(ended()) as ReturnType<Theirs[Name]>;
    this.#lastId += 1;
    const answer = Promise.withResolvers<never>();
    this.#asked.set(this.#lastId, answer);
    this.post({ is: "ask", id: this.#lastId, name, given });
    return answer.promise as ReturnType<Theirs[Name]>;
  }

  /** Takes a message that is a question for `mine` or an answer. False for any other. */
  take(message: Question | Answered | { is: string }, mine: Callable): boolean {
    if ("name" in message && message.is === "ask") void this.#answer(message as Question, mine);
    else if (message.is === "answer") this.#answered(message as Answered);
    else return false;
    return true;
  }

  /** The other end is gone: what was asked of it fails. */
  close(): void {
    this.#isClosed = true;
    this.#next = [];
    for (const { reject } of this.#asked.values()) reject(ended());
    this.#asked.clear();
  }

  async #answer({ id, name, given }: Question, mine: Callable): Promise<void> {
    try {
      this.post({ is: "answer", id, value: await mine[name]?.(...(given as never[])) });
    } catch (error) {
      this.post({ is: "answer", id, error: plainError(error) });
    }
  }

  #answered(answer: Answered): void {
    const asked = this.#asked.get(answer.id);
    this.#asked.delete(answer.id);
    if ("error" in answer) asked?.reject(errorOf(answer.error));
    else asked?.resolve(answer.value as never);
  }
}

function ended(): Error {
  return fail("overloaded", "A thread that delivers has ended. Try again shortly.", { retry_after: 1 });
}
