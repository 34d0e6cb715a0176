import type { Checked, PollResult } from "../../contracts/connectors.contract.ts";
import type { KnownPage, UnchangedPage } from "../../contracts/page-reads.contract.ts";
import type { ConnectorTools, PolledSource } from "../connector.ts";
import { nextPageCheck } from "./page-pace.ts";
import { type KnownState, type PageState, pageState } from "./page-state.ts";

/** A server that answers 304 for ever must not silence a source. */
const mostConditional = 9;
const longestConditionalMs = 24 * 60 * 60 * 1000;

/** What is known of a page that several views are polled for; undefined where one of them has to read it. */
export function knownTo(sources: readonly PolledSource[], now: number): KnownPage | undefined {
  const [first, ...others] = sources.map(({ state }) => pageState(state));
  if (first?.known === undefined || sources.some(lacksPicture)) return undefined;
  const { fingerprint = "" } = first;
  const { url } = first.known;
  const isAlike = (state: Partial<PageState>) =>
    state.fingerprint === fingerprint && state.known?.url === url;
  if (!others.every(isAlike)) return undefined;
  const isConditional = sources.every(({ state, failures, view }) => {
    // Conditions are for GET (RFC 9110, 13.1).
    if (view?.method === "POST") return false;
    const { etag, lastModified, sentAt = 0, conditional = 0 } = pageState(state);
    const isTrusted = conditional < mostConditional && now - sentAt < longestConditionalMs;
    return isTrusted && failures === 0 && etag === first.etag && lastModified === first.lastModified;
  });
  return {
    ...{ url, fingerprint },
    ...(isConditional && first.etag && { etag: first.etag }),
    ...(isConditional && first.lastModified && { lastModified: first.lastModified }),
  };
}

/** The picture to compare the first change with is taken when a page is read. */
function lacksPicture({ state, view, id }: PolledSource): boolean {
  return view?.screenshot === true && id !== undefined && pageState(state).picture === undefined;
}

/** What is known after a page was read. `isSettled`: reading it once more would change nothing. */
export function knownAfter(
  known: KnownPage | undefined,
  { outcome, reason, values }: Checked,
  isSettled: boolean,
  now: number,
): KnownState {
  const { url = "", fingerprint = "", etag = "", lastModified = "" } = known ?? {};
  const result = { outcome, reason, ...(values && { values }) };
  return {
    ...(known && isSettled && { known: { url, ...result } }),
    ...{ fingerprint, etag, lastModified, sentAt: now, conditional: 0, unread: 0 },
  };
}

/** The result of a poll that found a page as it was: what came of it before comes of it again. */
export function unchangedPoll(
  source: PolledSource,
  { status, headers, known: found }: UnchangedPage,
  startedAt: number,
  tools: ConnectorTools,
): PollResult {
  const state = pageState(source.state);
  const { outcome = "same", reason = "", values } = state.known ?? {};
  const { pace, nextInMs } = nextPageCheck(source, { isNews: false, headers }, tools);
  const now = tools.now();
  return {
    ok: true,
    posts: [],
    state: { ...unreadState(state, { status, known: found }, now), ...pace },
    nextInMs,
    check: {
      ...{ outcome, reason, status, engine: "http" as const, tookMs: now - startedAt, muted: [] },
      ...(values && { values }),
    },
  };
}

/** The state of a page that was found as it was. */
export function unreadState(
  state: Partial<PageState>,
  { status, known: { etag = "", lastModified = "" } }: Pick<UnchangedPage, "status" | "known">,
  now: number,
): Partial<PageState> {
  const { sentAt = 0, conditional = 0, unread = 0 } = state;
  return {
    ...state,
    ...{ unread: unread + 1, etag, lastModified },
    ...(status === 304 ? { sentAt, conditional: conditional + 1 } : { sentAt: now, conditional: 0 }),
  };
}
