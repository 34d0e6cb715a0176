import { Agent, fetch } from "undici";
import { withTimeout } from "../../../../mixins/async/timeout.ts";
import { codeOf, fail } from "../../../contracts/errors.ts";
import { retryAfterMs } from "../../../domain/url/retry-after.ts";
import { cooldownOf } from "../../social/cooldown.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import { type PreviewPage, parsePage } from "./parse-page.ts";

/** A part of a channel; without fields, its end. */
export interface PagePart {
  /** Message ids. */
  before?: number;
  after?: number;
  q?: string;
}

export type FetchPage = (username: string, part: PagePart, signal: AbortSignal) => Promise<PreviewPage>;

export interface PreviewApi {
  fetchPage: FetchPage;
  /** Requests answered so far, and requests that could not reach Telegram or were refused. */
  readonly counts: { answers: number; failures: number };
  close(): Promise<void>;
}

interface Answer {
  status: number;
  retryAfter: string | null;
  text: string;
}

const requestTimeoutMs = 15_000;
const usualPauseMs = 30_000;
const maxPageBytes = 8 * 1024 * 1024;

/** `url`: the address of previews, without the name of the channel. */
export function previewApi(url: string, tools: DriverTools): PreviewApi {
  const agent = new Agent({ maxResponseSize: maxPageBytes });
  const cooldown = cooldownOf<"pages">("Telegram", tools);
  const standing = { answers: 0, failures: 0 };
  const ask = async (address: URL, signal: AbortSignal): Promise<Answer> => {
    for (;;) {
      await cooldown.wait("pages", signal);
      const answer = await withTimeout(requestTimeoutMs, signal, inTime => exchange(address, agent, inTime));
      if (answer.status !== 429) return answer;
      const now = tools.now();
      await cooldown.extend("pages", now + (retryAfterMs(answer.retryAfter, now) || usualPauseMs));
    }
  };
  return {
    counts: standing,
    async fetchPage(username, part, signal) {
      try {
        const { status, text } = await ask(addressOf(url, username, part), signal);
        if (status >= 500 || status === 403) throw new Error(`Telegram answered with status ${status}.`);
        standing.answers += 1;
        const page = status === 200 ? parsePage(text) : null;
        if (page) return page;
      } catch (error) {
        if (!signal.aborted) standing.failures += 1;
        throw codeOf(error) ? error : unreachable(error);
      }
      throw fail("not_found", "Telegram has no public channel of this name that shows a preview.");
    },
    close: () => agent.destroy(),
  };
}

/** Fetches a page. A channel without a preview is answered by a redirect to the app. */
async function exchange(address: URL, dispatcher: Agent, signal: AbortSignal): Promise<Answer> {
  const headers = { "accept-language": "en" };
  const answer = await fetch(address, { signal, dispatcher, redirect: "manual", headers });
  const { status } = answer;
  const retryAfter = answer.headers.get("retry-after");
  if (status === 200) return { status, retryAfter, text: await answer.text() };
  await answer.body?.cancel();
  return { status, retryAfter, text: "" };
}

function addressOf(url: string, username: string, { before, after, q }: PagePart): URL {
  const address = new URL(`${url.replace(/\/$/, "")}/${encodeURIComponent(username)}`);
  if (q !== undefined) address.searchParams.set("q", q);
  if (before !== undefined) address.searchParams.set("before", String(before));
  if (after !== undefined) address.searchParams.set("after", String(after));
  return address;
}

function unreachable(cause: unknown): Error {
  return fail("connector_unavailable", "Telegram cannot be reached now.", { retry_after: 30 }, cause);
}
