import type { ServiceBroker } from "moleculer";
import { SparseLog } from "../../../mixins/log/sparse-log.ts";
import { counterOf } from "../../../mixins/runtime/counters.ts";
import { present } from "../../domain/json/fields.ts";
import { type FailureReason, failureReasons, type ModelFailure } from "./model-failure.ts";

/** What a model is asked for. Goals have counts of their own. */
const uses = ["json", "summary"] as const;
export type ModelUse = (typeof uses)[number];

/** Counts what became of questions to a model, and logs its failures. */
export interface ModelReports {
  succeeded(use: ModelUse): void;
  /** `site`: the origin of the page, which a document that was sent has none of. */
  failed(use: ModelUse, failure: ModelFailure, site: string | undefined): void;
}

export function modelReports(
  broker: ServiceBroker,
  logger: ConstructorParameters<typeof SparseLog>[0],
): ModelReports {
  const sparse = new SparseLog(logger);
  const answers = counterOf(broker, {
    name: "magpie_model_answers_total",
    description: "Questions to the language model about pages, by what became of them",
    by: [
      ["use", uses],
      ["outcome", ["used", ...failureReasons] as ("used" | FailureReason)[]],
    ],
  });
  return {
    succeeded: use => answers.add(use, "used"),
    failed: (use, { reason, message, status }, site) => {
      answers.add(use, reason);
      const facts = { use, reason, message, ...present({ site, status }) };
      sparse.log("model.failed", facts);
    },
  };
}
