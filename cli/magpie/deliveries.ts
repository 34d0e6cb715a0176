import { Command, Option } from "commander";
import type { ResultOf } from "../../services/contracts/action.ts";
import type { listEndpointDeliveries } from "../../services/contracts/deliveries.contract.ts";
import { collect, examples, type Given, number } from "./options.ts";
import { note, printJson, printTable, printText } from "./screen.ts";
import { ask, serverOf } from "./server.ts";

type Delivery = ResultOf<typeof listEndpointDeliveries>["data"][number];

const endpoint = ["<id>", "of the endpoint, as `magpie webhooks list` shows it"] as const;
const id = "757e810f-0ce9-425f-9401-0f6f71d74b98";

/** `magpie webhooks deliveries <id>`. */
export const deliveries = new Command("deliveries")
  .description("List the attempts to deliver to an endpoint, the latest first.")
  .argument(...endpoint)
  .addOption(
    new Option("--status <status>", "only those that ended so").choices(["succeeded", "failed", "dead"]),
  )
  .option("--event <id>", "only those of this event")
  .option("--limit <n>", "at most so many; by default 50", number)
  .addHelpText("after", examples([`magpie webhooks deliveries ${id} --status dead`, "what was given up"]))
  .action(async (of: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { status?: string; event?: string; limit?: number };
    const query = new URLSearchParams({
      ...(options.status && { status: options.status }),
      ...(options.event && { event_id: options.event }),
      limit: String(options.limit ?? 50),
    });
    const path = `${pathOf(of)}/deliveries?${query}`;
    const { data } = await ask<{ data: Delivery[] }>(serverOf(options), "GET", path);
    if (options.json) return data.forEach(printJson);
    if (data.length === 0) return note("There are none.");
    printTable(data, {
      id: each => each.id,
      event: each => each.event_id,
      type: each => each.type,
      attempt: each => String(each.attempt),
      outcome: each => each.outcome,
      answer: each => each.error ?? String(each.http_status ?? ""),
      at: each => each.at,
    });
  });

/** `magpie webhooks test <id>`. */
export const test = new Command("test")
  .description("Send a test event to an endpoint, whatever it wants.")
  .argument(...endpoint)
  .addHelpText("after", examples([`magpie webhooks test ${id}`, "does it arrive?"]))
  .action((of: string, _: unknown, command: Command) => post(command, `${pathOf(of)}/test`));

/** `magpie webhooks retry <id> <delivery>`. */
export const retry = new Command("retry")
  .description("Send one event to an endpoint once more.")
  .argument(...endpoint)
  .argument("<delivery>", "as `magpie webhooks deliveries` shows it")
  .addHelpText(
    "after",
    examples([`magpie webhooks retry ${id} 01M8AV1P9YDTT8VPSN7ZZ4N11H`, "once it is repaired"]),
  )
  .action((of: string, delivery: string, _: unknown, command: Command) =>
    post(command, `${pathOf(of)}/deliveries/${encodeURIComponent(delivery)}/retry`),
  );

/** `magpie webhooks replay <id>`. */
export const replay = new Command("replay")
  .description("Send many events to an endpoint again: since a time, or those that are named.")
  .argument(...endpoint)
  .option("--since <time>", "from then on: 2026-11-22T09:00:00Z")
  .option("--until <time>", "up to then")
  .option("--type <type>", "only events of this type; may be given again", collect)
  .option("--event <id>", "this event; may be given again", collect)
  .addHelpText(
    "after",
    examples([
      `magpie webhooks replay ${id} --since 2026-11-22T09:00:00Z --type web.page.changed`,
      "the changes since then",
    ]),
  )
  .action((of: string, _: unknown, command: Command) => {
    const { since, until, type, event } = command.optsWithGlobals() as Given & {
      since?: string;
      until?: string;
      type?: string[];
      event?: string[];
    };
    return post(command, `${pathOf(of)}/replay`, {
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(type && { event_types: type }),
      ...(event && { event_ids: event }),
    });
  });

function pathOf(of: string): string {
  return `/webhooks/${encodeURIComponent(of)}`;
}

async function post(command: Command, path: string, body?: object): Promise<void> {
  const options = command.optsWithGlobals() as Given;
  const answer = await ask<{ message: string; data?: unknown }>(serverOf(options), "POST", path, body);
  if (options.json) printJson(answer.data ?? answer);
  else printText(answer.message);
}
