import { fail } from "../../contracts/errors.ts";

/** Why an answer of a model cannot be used, and what happened, as the beginning of a sentence. */
const sentences = {
  unreachable: "The language model cannot be reached",
  late: "The language model did not answer in time",
  key: "The server of the language model refused the key",
  address: "The server of the language model knows no such address or model",
  limit: "The server of the language model takes no more requests for now",
  status: "The server of the language model answered with an error",
  broken: "What answered in place of the language model sent no answer of one",
  empty: "The language model gave an empty answer",
  cut: "The answer of the language model was cut at its limit of tokens",
  refused: "The language model refused to answer",
  malformed: "The answer of the language model has no JSON object in it",
  unfit: "The language model's answer does not fit",
  nothing: "The language model found nothing that was asked for",
} as const;

export type FailureReason = keyof typeof sentences;
export const failureReasons = Object.keys(sentences) as FailureReason[];

/** The key, the address or the server is wrong: what was asked is not the reason. */
const forAll = new Set<FailureReason>(["unreachable", "key", "address", "limit"]);
const statusesForAll = [502, 503, 504];
const maxDetail = 300;

/**
 * Why a model gave no answer that can be used. It holds neither the error nor the answer of the server: some servers quote
 * the API key in their messages.
 */
export class ModelFailure extends Error {
  readonly reason: FailureReason;
  /** The status of the server's answer, where that is the reason. */
  readonly status: number | undefined;
  /** Nobody gets an answer. */
  readonly isForAll: boolean;

  /** `detail`: a fault of the answer, in words that are safe to show. */
  constructor(reason: FailureReason, { status, detail }: { status?: number; detail?: string } = {}) {
    const how = status === undefined ? detail?.slice(0, maxDetail).replace(/[.\s]+$/, "") : `HTTP ${status}`;
    super(how === undefined ? sentences[reason] : `${sentences[reason]} (${how})`);
    this.name = "ModelFailure";
    this.reason = reason;
    this.status = status;
    this.isForAll = forAll.has(reason) || statusesForAll.includes(status ?? 0);
  }
}

/** The failure as an error of the API. */
export function modelError(failure: ModelFailure): Error {
  return fail("upstream_error", `${failure.message}.`, {}, failure);
}

/** What went wrong with a model, if the error says so. */
export function failureOf(error: unknown): ModelFailure | undefined {
  if (error instanceof ModelFailure) return error;
  const { cause } = Object(error) as { cause?: unknown };
  return cause instanceof ModelFailure ? cause : undefined;
}

/** The failure that a status of the server means, and the error in its answer. */
export function failureOfStatus(status: number, error?: unknown): ModelFailure {
  const reason =
    status === 401 || status === 403
      ? "key"
      : status === 404
        ? "address"
        : status === 429
          ? "limit"
          : isFiltered(error)
            ? "refused"
            : "status";
  return new ModelFailure(reason, { status });
}

const filters = /^(?:content_filter|content_policy_violation|ResponsibleAIPolicyViolation)$/;

/** Whether a filter of the server, such as Azure's, took offence at the question. */
export function isFiltered(error: unknown): boolean {
  const { code, innererror } = Object(error) as { code?: unknown; innererror?: unknown };
  const { code: inner } = Object(innererror) as { code?: unknown };
  return [code, inner].some(each => typeof each === "string" && filters.test(each));
}
