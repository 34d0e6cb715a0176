import { ApiError, type Client } from "@xdevplatform/xdk";
import { withTimeout } from "../../../../mixins/async/timeout.ts";
import { type ErrorExtras, fail } from "../../../contracts/errors.ts";
import { type Cooldown, cooldownOf } from "../../social/cooldown.ts";
import { type DriverTools, quoteAnswer, refusal } from "../../social/social-connector.ts";

const requestMs = 30_000;

/** Requests that share a limit. */
type Family = "users" | "timelines" | "searches" | "posts" | "follows" | "rules" | "stream";

/** Options of the library's calls. */
interface RequestOptions {
  signal: AbortSignal;
  /** The raw response: the library renames the fields of parsed answers, but not of the stream. */
  raw: true;
}

/** X's API through its library. Waits as long as X asks, and throws what `classifyError` makes of all other errors. */
export class XApi {
  readonly #client: Client;
  readonly #tools: Pick<DriverTools, "now" | "cooldowns">;
  readonly #cooldown: Cooldown<Family>;

  constructor(client: Client, tools: Pick<DriverTools, "now" | "cooldowns">) {
    this.#client = client;
    this.#tools = tools;
    this.#cooldown = cooldownOf("X", tools);
  }

  /** Makes one call. The answer may have errors in place of data. */
  async ask<Data>(
    family: Family,
    call: (client: Client, options: RequestOptions) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<XAnswer<Data>> {
    return await this.#withCooldown(family, signal, () =>
      withTimeout(requestMs, signal, async inTime => {
        const response = await call(this.#client, { signal: inTime, raw: true });
        return (await (response as Response).json()) as XAnswer<Data>;
      }),
    );
  }

  /**
   * Opens a stream: its head must arrive in time, its body stays open until the signal fires. A body without a reader
   * would be cancelled as soon as its response is garbage collected.
   */
  async open(
    path: string,
    headMs: number,
    signal: AbortSignal,
  ): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const security = [{ BearerToken: [] }];
    const { body } = await this.#withCooldown("stream", signal, async () => {
      // Not `withTimeout`, whose signal ends with the head: this one holds for the body as well.
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new DOMException("no head in time", "TimeoutError")), headMs);
      const inTime = AbortSignal.any([signal, late.signal]);
      const options = { signal: inTime, raw: true, timeout: 0, security } as const;
      return await this.#client.request<Response>("GET", path, options).finally(() => clearTimeout(timer));
    });
    if (!body) throw unavailable("X sent an empty stream.");
    return body.getReader();
  }

  async #withCooldown<Answer>(
    family: Family,
    signal: AbortSignal,
    attempt: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!this.#client.bearerToken)
      throw fail("connector_unavailable", "X is not configured on this installation.");
    for (;;) {
      await this.#cooldown.wait(family, signal);
      const outcome = await attempt().then(
        answer => ({ answer }),
        thrown => classifyError(thrown, this.#tools.now()),
      );
      if ("answer" in outcome) return outcome.answer;
      if ("error" in outcome) throw outcome.error;
      await this.#cooldown.extend(family, this.#tools.now() + outcome.waitMs);
    }
  }
}

/** The wait that X recommends for a 429 without a reset time. */
const unknownWaitMs = 60_000;
/** Seconds until clients should retry an error without a reset time. */
const retrySeconds = 30;

/** How to handle a failed request: wait and retry, or throw the error. */
type Classified = { waitMs: number } | { error: Error };

/** Classifies what the library throws. `now`: Unix milliseconds. */
export function classifyError(thrown: unknown, now: number): Classified {
  if (!(thrown instanceof ApiError))
    return { error: unavailable("X sent an answer that cannot be read.", thrown) };
  const problem = problemOf(thrown.data);
  if (thrown.status === 429) return classifyLimit(thrown, problem, now);
  return { error: errorOf(thrown, problem) };
}

/** The data of an answer. Errors in its place, even with status 200, mean that X knows nothing, or does not show it. */
export function dataOf<Data>({ data, errors }: XAnswer<Data>): Data {
  if (data === undefined) throw notFound(errors?.[0]);
  return data;
}

export function notFound(problem: XProblem = {}): Error {
  const why = isHidden(problem)
    ? "X does not show this to everybody."
    : "X knows nothing of this name or number.";
  return fail("not_found", why, {}, problem.detail);
}

/** Whether X rejected the request as invalid. */
export function isRejected(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return cause instanceof ApiError && (cause.status === 400 || cause.status === 422);
}

function unavailable(message: string, cause?: unknown, extras: ErrorExtras = {}): Error {
  return fail("connector_unavailable", message, { retry_after: retrySeconds, ...extras }, cause);
}

/** X allows one connection to the stream, and takes some time to notice that the last one has closed. */
function classifyLimit(thrown: ApiError, { type = "", connection_issue }: XProblem, now: number): Classified {
  if (connection_issue !== undefined)
    return { error: unavailable("X still has a connection of this service open.", thrown) };
  if (type.endsWith("/usage-capped")) return { error: usedUp(thrown) };
  const reset = Number(thrown.headers.get("x-rate-limit-reset"));
  return { waitMs: reset > 0 ? Math.max(1000, reset * 1000 - now) : unknownWaitMs };
}

function errorOf(thrown: ApiError, problem: XProblem): Error {
  if (thrown.status === 404 || isHidden(problem)) return notFound(problem);
  const refused = (message: string) => refusal(quoteAnswer(message, problem.detail ?? problem.title), thrown);
  if (thrown.status === 401) return refused("X refuses the credentials of this service.");
  if (thrown.status === 403) return refused("X does not allow this service to do that.");
  if (thrown.status === 402) return usedUp(thrown);
  if (thrown.status === 0) return unavailable("X cannot be reached.", thrown);
  const quoted = (message: string) => quoteAnswer(message, problem.detail ?? problem.title);
  // No retry can fix these.
  if (thrown.status === 400 || thrown.status === 422)
    return fail("upstream_error", quoted("X does not accept this request."), {}, thrown);
  return unavailable(quoted(`X answered with status ${thrown.status}.`), thrown);
}

/** The plan or the credit is used up. */
function usedUp(thrown: ApiError): Error {
  return unavailable("The X plan of this installation is used up.", thrown, { retry_after: 3600 });
}

function isHidden({ type = "" }: XProblem): boolean {
  return type.endsWith("/not-authorized-for-resource");
}

function problemOf(data: unknown): XProblem {
  return typeof data === "object" && data !== null ? data : {};
}

/*
 * The used parts of X's answers; every field may be missing. X is renaming tweets to posts field by field, so both
 * spellings are read (OpenAPI description of the X API v2, 2.167).
 */

interface XAnswer<Data> {
  data?: Data;
  includes?: XIncludes;
  /** Also present in answers with status 200, in place of missing data. */
  errors?: XProblem[];
  meta?: { next_token?: string };
}

/** What a post refers to. */
export interface XIncludes {
  users?: XUser[];
  media?: XMedia[];
  polls?: XPoll[];
}

export interface XPoll {
  id: string;
  options?: { position?: number; label: string; votes?: number }[];
  /** ISO 8601. */
  end_datetime?: string;
}

/** What X found in a text. */
export interface XEntities {
  urls?: {
    /** As the text has it, shortened. */
    url: string;
    expanded_url?: string;
    /** Where the expanded one leads. */
    unwound_url?: string;
    title?: string;
    description?: string;
    images?: { url: string; width?: number }[];
    /** A link to the post's own picture or video. */
    media_key?: string;
  }[];
  mentions?: { id?: string; username: string }[];
}

interface XReference {
  /** `replied_to`, `quoted` or `retweeted`. */
  type: string;
  id: string;
}

export interface XMedia {
  media_key?: string;
  /** `photo`, `video` or `animated_gif`. */
  type?: string;
  /** Photos alone have it. */
  url?: string;
  preview_image_url?: string;
  alt_text?: string;
  variants?: { content_type?: string; url?: string; bit_rate?: number }[];
}

export interface XPost {
  id: string;
  attachments?: { media_keys?: string[]; poll_ids?: string[] };
  entities?: XEntities;
  referenced_posts?: XReference[];
  referenced_tweets?: XReference[];
  in_reply_to_user_id?: string;
  /** BCP 47, or a code of X's own for posts without a language. */
  lang?: string;
  text: string;
  author_id?: string;
  /** ISO 8601. */
  created_at?: string;
  /** Every edit of a post gets a new id; the first id leads the list. */
  edit_history_post_ids?: string[];
  edit_history_tweet_ids?: string[];
  /** The whole text of a long post; `text` is truncated. */
  note_post?: { text?: string; entities?: XEntities };
  note_tweet?: { text?: string; entities?: XEntities };
  public_metrics?: {
    like_count?: number;
    reply_count?: number;
    repost_count?: number;
    retweet_count?: number;
  };
}

export interface XUser {
  id: string;
  name: string;
  username: string;
  /** ISO 8601. */
  created_at?: string;
  description?: string;
  profile_image_url?: string;
  protected?: boolean;
  verified?: boolean;
  /** `blue`, `business`, `government` or `none`. */
  verified_type?: string;
  is_identity_verified?: boolean;
  public_metrics?: { followers_count?: number; following_count?: number };
}

/** RFC 7807. */
interface XProblem {
  type?: string;
  title?: string;
  detail?: string;
  /** A stream names its reason here, for example `TooManyConnections`. */
  connection_issue?: string;
}

/** A line of the filtered stream. */
export interface XMessage extends XAnswer<XPost>, XProblem {
  matching_rules?: { id?: string; tag?: string }[];
}

export interface XRule {
  id: string;
  value: string;
  tag?: string;
}
