import type { ServiceBroker } from "moleculer";
import type { Config } from "../../../mixins/config/config.ts";
import { SparseLog } from "../../../mixins/log/sparse-log.ts";
import { counterOf } from "../../../mixins/runtime/counters.ts";
import { createLanguageModel } from "../model/language-model.ts";
import { type JudgePorts, judgeOutcomes } from "./judge.ts";

/** The time of all changes of a poll ends first. */
const model = { timeoutMs: 8000, retries: 1 };

/** The operator's model, what counts its verdicts, and what logs its failures. */
export function judgePorts(
  broker: ServiceBroker,
  logger: ConstructorParameters<typeof SparseLog>[0],
  llm: Config["llm"],
): JudgePorts {
  const sparse = new SparseLog(logger);
  const judgements = counterOf(broker, {
    name: "magpie_judgements_total",
    description: "Changes that were judged by a goal, and those that were not for a reason",
    by: [["outcome", judgeOutcomes]],
  });
  return {
    model: llm && createLanguageModel(llm, model),
    count: outcome => judgements.add(outcome),
    onFailure: failure => sparse.log("judgement.failed", failure),
    now: () => performance.now(),
  };
}
