import { ServiceBroker } from "moleculer";
import { countedBy } from "../../../../mixins/runtime/counters.ts";
import { ModelFailure } from "../../../../services/scraper/model/model-failure.ts";
import { modelReports } from "../../../../services/scraper/model/model-reports.ts";

test("a failure is a line and a count, a success a count", () => {
  const broker = new ServiceBroker({ logger: false });
  const lines: unknown[][] = [];
  const logger = { warn: (...line: unknown[]) => lines.push(line), error: () => undefined };
  const reports = modelReports(broker, logger);
  reports.succeeded("json");
  reports.failed("summary", new ModelFailure("key", { status: 401 }), "https://a.example");
  const unfit = new ModelFailure("unfit");
  reports.failed("json", unfit, undefined);
  expect(lines).toEqual([
    [
      "model.failed",
      {
        ...{ use: "summary", reason: "key", status: 401, site: "https://a.example" },
        message: "The server of the language model refused the key (HTTP 401)",
      },
    ],
    ["model.failed", { use: "json", reason: "unfit", message: unfit.message }],
  ]);
  const counts = countedBy(broker)
    .flatMap(metric => metric.snapshot())
    .filter(({ value }) => value === 1);
  expect(counts.map(({ labels }) => labels)).toEqual([
    { use: "json", outcome: "used" },
    { use: "json", outcome: "unfit" },
    { use: "summary", outcome: "key" },
  ]);
});
