import { Agent, fetch, type Response } from "undici";
import { fail } from "../../../contracts/errors.ts";
import { patience } from "../../microblog/patience.ts";
import type { DriverTools } from "../../social/social-connector.ts";
import { type PreviewPage, parsePage } from "./parse-page.ts";

/** Which part of a channel; without any, its end. */
export interface Part {
  /** Message ids. */
  before?: number;
  after?: number;
  q?: string;
}

export type FetchPage = (username: string, part: Part, signal: AbortSignal) => Promise<PreviewPage>;

export interface Pages {
  fetchPage: FetchPage;
  close(): Promise<void>;
}

const requestTimeoutMs = 15_000;
const usualPauseMs = 30_000;
const maxPageBytes = 8 * 1024 * 1024;

/** `url`: what stands before a channel's name in the address of its preview. */
export function previewPages(url: string, { now }: DriverTools): Pages {
  const agent = new Agent({ maxResponseSize: maxPageBytes });
  const waits = patience<"pages">("Telegram", now);
  const ask = async (address: URL, signal: AbortSignal): Promise<Response> => {
    for (;;) {
      await waits.passed("pages", signal);
      const within = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
      // A channel without a preview is answered by a redirect to its place in the app.
      const options = { signal: within, dispatcher: agent, redirect: "manual" as const };
      const answer = await fetch(address, { ...options, headers: { "accept-language": "en" } }).catch(
        unreachable,
      );
      if (answer.status !== 429) return answer;
      await answer.body?.cancel();
      const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
      waits.asked("pages", now() + (seconds > 0 ? seconds * 1000 : usualPauseMs));
    }
  };
  return {
    async fetchPage(username, part, signal) {
      const answer = await ask(addressOf(url, username, part), signal);
      if (answer.status !== 200) await answer.body?.cancel();
      if (answer.status >= 500 || answer.status === 403)
        return unreachable(new Error(`Telegram answered with status ${answer.status}.`));
      const page = answer.status === 200 ? parsePage(await answer.text().catch(unreachable)) : null;
      if (page) return page;
      throw fail("not_found", "Telegram has no public channel of this name that shows a preview.");
    },
    close: () => agent.destroy(),
  };
}

function addressOf(url: string, username: string, { before, after, q }: Part): URL {
  const address = new URL(`${url.replace(/\/$/, "")}/${encodeURIComponent(username)}`);
  if (q !== undefined) address.searchParams.set("q", q);
  if (before !== undefined) address.searchParams.set("before", String(before));
  if (after !== undefined) address.searchParams.set("after", String(after));
  return address;
}

function unreachable(cause: unknown): never {
  throw fail("connector_unavailable", "Telegram cannot be reached now.", { retry_after: 30 }, cause);
}
