import { randomBytes } from "node:crypto";
import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import { withTimeout } from "../../../mixins/async/timeout.ts";
import type { JudgeRequest, Opinion } from "../../contracts/judge.contract.ts";
import type { ChangeToJudge } from "../../domain/goal/change-to-judge.ts";
import { questionAbout } from "../../domain/goal/question.ts";
import { readVerdict } from "../../domain/goal/verdict.ts";
import { isUnreachable, type LanguageModel } from "../model/language-model.ts";
import { Circuit } from "./circuit.ts";

/** What became of a question. */
export const judgeOutcomes = [
  "meaningful",
  "dismissed",
  "malformed",
  "unavailable",
  "late",
  "skipped",
] as const;
type Outcome = (typeof judgeOutcomes)[number];

export interface JudgePorts {
  /** Undefined where the operator has set none. */
  model: LanguageModel | undefined;
  count(outcome: Outcome): void;
  /** Called with each failure of the model. */
  onFailure(failure: { outcome: Outcome; site: string; error?: unknown }): void;
  now(): number;
}

/** Questions under way in this process, and those of one site. */
const [questions, perSite] = [8, 6];
/** A question that had less time than this before its end says nothing about the model. */
const fairMs = 3000;
const boundaryBytes = 16;

const reasons: Record<Exclude<Outcome, "meaningful" | "dismissed">, string> = {
  malformed: "The answer of the language model does not have the form that was asked for.",
  unavailable: "The language model is not available.",
  late: "The language model did not answer in time.",
  skipped: "The language model has failed several times in a row; it is asked again in a minute.",
};
const noModel = "This installation has no language model: its operator can set LLM_BASE_URL.";

/** Has a language model judge changes. Questions are asked once; one that fails is answered by the reason. */
export class Judge {
  readonly #ports: JudgePorts;
  readonly #places = new FairSemaphore({ width: questions, perGroup: perSite });
  readonly #circuit: Circuit;

  constructor(ports: JudgePorts) {
    this.#ports = ports;
    this.#circuit = new Circuit(ports.now);
  }

  /** Answers in the order of the changes, within the time and before `closing` fires. */
  async opinions({ site, goal, changes, withinMs }: JudgeRequest, closing: AbortSignal): Promise<Opinion[]> {
    const { model } = this.#ports;
    if (!model) return changes.map(() => ({ judged: false, reason: noModel }));
    return await withTimeout(withinMs, closing, signal =>
      Promise.all(changes.map(change => this.#opinion(model, { site, goal, change }, signal))),
    );
  }

  async #opinion(
    model: LanguageModel,
    asked: { site: string; goal: string; change: ChangeToJudge },
    signal: AbortSignal,
  ): Promise<Opinion> {
    const { site } = asked;
    if (this.#circuit.isOpen(site)) return this.#unjudged("skipped");
    let leave: () => void;
    try {
      leave = await this.#places.acquire(site, signal);
    } catch {
      // It was never asked, so the model has not failed.
      return this.#unjudged("late");
    }
    try {
      // Those that waited learn from those before them.
      return this.#circuit.isOpen(site) ? this.#unjudged("skipped") : await this.#ask(model, asked, signal);
    } finally {
      leave();
    }
  }

  async #ask(
    model: LanguageModel,
    { site, goal, change }: { site: string; goal: string; change: ChangeToJudge },
    signal: AbortSignal,
  ): Promise<Opinion> {
    const { task, about } = questionAbout(change, goal, randomBytes(boundaryBytes).toString("hex"));
    const messages = [
      { role: "system" as const, content: task },
      { role: "user" as const, content: about },
    ];
    const startedAt = this.#ports.now();
    let answer: string;
    try {
      answer = await model.complete(messages, { signal, json: true });
    } catch (error) {
      const outcome = signal.aborted ? "late" : "unavailable";
      if (outcome === "unavailable" || this.#ports.now() - startedAt >= fairMs)
        this.#circuit.failed(site, { isForAll: isUnreachable(error) });
      return this.#failed(outcome, site, error);
    }
    this.#circuit.succeeded(site);
    const verdict = readVerdict(answer);
    if (!verdict) return this.#failed("malformed", site);
    this.#ports.count(verdict.meaningful ? "meaningful" : "dismissed");
    return { judged: true, ...verdict };
  }

  #failed(outcome: "malformed" | "unavailable" | "late", site: string, error?: unknown): Opinion {
    this.#ports.onFailure({ outcome, site, ...(error !== undefined && { error }) });
    return this.#unjudged(outcome);
  }

  #unjudged(outcome: keyof typeof reasons): Opinion {
    this.#ports.count(outcome);
    return { judged: false, reason: reasons[outcome] };
  }
}
