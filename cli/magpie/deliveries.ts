import { Command, Option } from "commander";
import { type Answer, dataOf, type Event, type Magpie } from "../../sdk/typescript/src/index.ts";
import { collect, examples, type Given, number } from "./options.ts";
import { note, printJson, printTable, printText } from "./screen.ts";
import { clientOf } from "./server.ts";

const argument = ["<id>", "of the endpoint, as `magpie webhooks list` shows it"] as const;
const example = "757e810f-0ce9-425f-9401-0f6f71d74b98";

interface DeliveriesGiven {
  status?: "succeeded" | "failed" | "dead";
  event?: string;
  limit?: number;
}

/** `magpie webhooks deliveries <id>`. */
export const deliveries = new Command("deliveries")
  .description("List the attempts to deliver to an endpoint, the latest first.")
  .argument(...argument)
  .addOption(
    new Option("--status <status>", "only attempts with this outcome").choices([
      "succeeded",
      "failed",
      "dead",
    ]),
  )
  .option("--event <id>", "only attempts for this event")
  .option("--limit <n>", "the number of attempts, at most; by default 50", number)
  .addHelpText(
    "after",
    examples([`magpie webhooks deliveries ${example} --status dead`, "what was given up"]),
  )
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & DeliveriesGiven;
    const { status, event: event_id, limit = 50 } = options;
    const params = { path: { id }, query: { status, event_id, limit } };
    const { raw } = clientOf(options);
    const { data } = dataOf(await raw.GET("/webhooks/{id}/deliveries", { params }));
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
  .description("Send a test event to an endpoint, whatever events it takes.")
  .argument(...argument)
  .addHelpText("after", examples([`magpie webhooks test ${example}`, "does it arrive?"]))
  .action((id: string, _: unknown, command: Command) =>
    send(command, ({ raw }) => raw.POST("/webhooks/{id}/test", { params: { path: { id } } })),
  );

/** `magpie webhooks retry <id> <delivery>`. */
export const retry = new Command("retry")
  .description("Send one event to an endpoint again.")
  .argument(...argument)
  .argument("<delivery>", "as `magpie webhooks deliveries` shows it")
  .addHelpText(
    "after",
    examples([`magpie webhooks retry ${example} 01M8AV1P9YDTT8VPSN7ZZ4N11H`, "once it is repaired"]),
  )
  .action((id: string, delivery: string, _: unknown, command: Command) =>
    send(command, ({ raw }) =>
      raw.POST("/webhooks/{id}/deliveries/{delivery_id}/retry", {
        params: { path: { id, delivery_id: delivery } },
      }),
    ),
  );

/** `magpie webhooks replay <id>`. */
export const replay = new Command("replay")
  .description("Send many events to an endpoint again: since a time, or those that are named.")
  .argument(...argument)
  .option("--since <time>", "events from this time on: 2026-11-22T09:00:00Z")
  .option("--until <time>", "events up to this time")
  .option("--type <type>", "only events of this type; may be given again", collect)
  .option("--event <id>", "this event; may be given again", collect)
  .addHelpText(
    "after",
    examples([
      `magpie webhooks replay ${example} --since 2026-11-22T09:00:00Z --type web.page.changed`,
      "the changes since then",
    ]),
  )
  .action((id: string, _: unknown, command: Command) => {
    const { since, until, type, event } = command.optsWithGlobals() as Given & ReplayGiven;
    const body = {
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(type && { event_types: type }),
      ...(event && { event_ids: event }),
    };
    const params = { path: { id } };
    return send(command, ({ raw }) => raw.POST("/webhooks/{id}/replay", { params, body }));
  });

interface ReplayGiven {
  since?: string;
  until?: string;
  type?: Event["type"][];
  event?: string[];
}

/** Sends a request for deliveries, and prints the message of the answer. */
async function send(
  command: Command,
  ask: (magpie: Magpie) => Promise<Answer<{ message: string; data?: unknown }>>,
): Promise<void> {
  const options = command.optsWithGlobals() as Given;
  const answer = dataOf(await ask(clientOf(options)));
  if (options.json) printJson(answer.data ?? answer);
  else printText(answer.message);
}
