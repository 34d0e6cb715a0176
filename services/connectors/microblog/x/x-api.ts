import type { Client } from "@xdevplatform/xdk";
import { within } from "../../../../mixins/deadline/within.ts";
import { fail } from "../../../contracts/errors.ts";
import { type Patience, patience } from "../../social/patience.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import type { XAnswer } from "./answers.ts";
import { judge, unavailable } from "./judge.ts";

const requestMs = 30_000;

/** Requests that share a limit. */
export type Family = "users" | "timelines" | "posts" | "follows" | "rules" | "stream";

/** What goes into the options of the library's calls. */
export interface RequestOptions {
  signal: AbortSignal;
  /** The bare response: the library renames every field of a parsed one, and none of the stream's. */
  raw: true;
}

/** X's API through its library. Waits as long as X asks, and throws what `judge` makes of everything else. */
export class XApi {
  readonly #client: Client;
  readonly #tools: Pick<DriverTools, "now" | "pauses">;
  readonly #patience: Patience<Family>;

  constructor(client: Client, tools: Pick<DriverTools, "now" | "pauses">) {
    this.#client = client;
    this.#tools = tools;
    this.#patience = patience("X", tools);
  }

  /** One call and its answer, which may have errors in place of data. */
  async ask<Data>(
    family: Family,
    call: (client: Client, options: RequestOptions) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<XAnswer<Data>> {
    return await this.#patiently(family, signal, () =>
      within(requestMs, signal, async inTime => {
        const response = await call(this.#client, { signal: inTime, raw: true });
        return (await (response as Response).json()) as XAnswer<Data>;
      }),
    );
  }

  /**
   * Opens what does not end: its head within the time, its body until the signal fires. A body without a reader would be
   * cancelled as soon as its response is collected as garbage.
   */
  async open(
    path: string,
    headMs: number,
    signal: AbortSignal,
  ): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const security = [{ BearerToken: [] }];
    const { body } = await this.#patiently("stream", signal, () =>
      within(headMs, signal, inTime =>
        this.#client.request<Response>("GET", path, { signal: inTime, raw: true, timeout: 0, security }),
      ),
    );
    if (!body) throw unavailable("X sent an empty stream.");
    return body.getReader();
  }

  async #patiently<Answer>(
    family: Family,
    signal: AbortSignal,
    attempt: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!this.#client.bearerToken) throw fail("connector_unavailable", "X is not set up on this service.");
    for (;;) {
      await this.#patience.passed(family, signal);
      const outcome = await attempt().then(
        answer => ({ answer }),
        thrown => judge(thrown, this.#tools.now()),
      );
      if ("answer" in outcome) return outcome.answer;
      if ("error" in outcome) throw outcome.error;
      await this.#patience.asked(family, this.#tools.now() + outcome.waitMs);
    }
  }
}
