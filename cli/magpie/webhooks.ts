import { Command, Option } from "commander";
import { type components, dataOf } from "../../sdk/typescript/src/index.ts";
import { digests, formats } from "../../services/contracts/endpoint-options.ts";
import { deliveries, replay, retry, test } from "./deliveries.ts";
import { examples, fieldsIn, type Given, type WantedEvents, wantedEvents, wantedFields } from "./options.ts";
import { note, printJson, printTable, printText } from "./screen.ts";
import { clientOf } from "./server.ts";

interface EndpointGiven extends WantedEvents {
  name?: string;
  format?: string;
  template?: string;
  digest?: string;
  options?: string;
}

/** Adds the options of an endpoint, which `create` and `update` have. */
function endpointOptions(command: Command): Command {
  return wantedEvents(command.option("--name <name>", "a label to recognise it by"))
    .addOption(new Option("--format <format>", "what the receiver understands").choices(formats))
    .option("--template <text>", "of a message for people, such as '{{title}} {{url}}'")
    .addOption(
      new Option("--digest <interval>", "one mail per interval, of a mailto: address").choices([
        ...digests,
        "none",
      ]),
    )
    .option("--options <file>", "more fields of POST /webhooks, as JSON");
}

type EndpointFields = components["schemas"]["ChangeEndpointRequest"];

/** Turns the options of an endpoint into fields of a request. The service checks the values and names what is wrong. */
async function fieldsOf({
  name,
  format,
  template,
  digest,
  options,
  ...wanted
}: EndpointGiven): Promise<EndpointFields> {
  return {
    ...(await fieldsIn("--options", options)),
    ...(name !== undefined && { name }),
    ...(format !== undefined && { format }),
    ...(template !== undefined && { template }),
    ...(digest !== undefined && { digest: digest === "none" ? null : digest }),
    ...wantedFields(wanted),
  };
}

const list = new Command("list")
  .description("List the key's endpoints and their status.")
  .addHelpText("after", examples(["magpie webhooks list", "all of them"]))
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const { data } = dataOf(await clientOf(options).raw.GET("/webhooks"));
    if (options.json) return data.forEach(printJson);
    if (data.length === 0) return note("There are none.");
    printTable(data, {
      id: ({ id }) => id,
      name: ({ name }) => name,
      url: ({ url }) => url,
      types: ({ event_types }) => event_types?.join(",") || "all",
      tags: ({ tags }) => tags?.join(","),
      status: ({ status }) => status,
    });
  });

const create = endpointOptions(new Command("create").alias("add"))
  .description(
    "Have events posted to a URL, or mailed. The secret that signs them is printed once, alone on standard output.",
  )
  .argument("<url>", "where the events go")
  .addHelpText(
    "after",
    examples(
      ["magpie webhooks create https://example.com/hook --tag shop", "only events of sources with this tag"],
      [
        "magpie webhooks create https://hooks.slack.com/services/… --format slack",
        "as messages in a channel",
      ],
      ["magpie webhooks create mailto:person@example.com --digest 1h", "as one mail an hour"],
    ),
  )
  .action(async (url: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & EndpointGiven;
    const body = { ...(await fieldsOf(options)), url };
    const { data } = dataOf(await clientOf(options).raw.POST("/webhooks", { body }));
    if (options.json) return printJson(data);
    note(`Endpoint ${data.id}. The secret is shown this once.`);
    if (data.status === "UNCONFIRMED")
      note("A mail asks the owner of the address; nothing is sent before they agree.");
    printText(data.secret);
  });

const update = endpointOptions(new Command("update"))
  .description("Change an endpoint; it starts again unless it is disabled.")
  .argument("<id>", "of the endpoint, as `magpie webhooks list` shows it")
  .option("--url <url>", "where the events go")
  .option("--enable", "deliver to it")
  .option("--disable", "deliver nothing to it")
  .addHelpText(
    "after",
    examples(["magpie webhooks update 757e810f-0ce9-425f-9401-0f6f71d74b98 --disable", "for a while"]),
  )
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given &
      EndpointGiven & { url?: string; enable?: boolean; disable?: boolean };
    const body = {
      ...(await fieldsOf(options)),
      ...(options.url !== undefined && { url: options.url }),
      ...((options.enable || options.disable) && { enabled: options.enable === true }),
    };
    const params = { path: { id } };
    const { raw } = clientOf(options);
    const { data, message } = dataOf(await raw.PATCH("/webhooks/{id}", { params, body }));
    if (options.json) printJson(data);
    else printText(message);
  });

const remove = new Command("delete")
  .description("Delete an endpoint. Events that wait for it are not delivered.")
  .argument("<id>", "of the endpoint, as `magpie webhooks list` shows it")
  .addHelpText("after", examples(["magpie webhooks delete 757e810f-0ce9-425f-9401-0f6f71d74b98", "for good"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const params = { path: { id } };
    dataOf(await clientOf(options).raw.DELETE("/webhooks/{id}", { params }));
    if (options.json) printJson({ id, deleted: true });
    else note(`Endpoint ${id} is deleted.`);
  });

/** `magpie webhooks …`. */
export const webhooks = new Command("webhooks")
  .description("Manage the endpoints to which the key's events are posted.")
  .addCommand(list)
  .addCommand(create)
  .addCommand(update)
  .addCommand(remove)
  .addCommand(deliveries)
  .addCommand(test)
  .addCommand(retry)
  .addCommand(replay);
