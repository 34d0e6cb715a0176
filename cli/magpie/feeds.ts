import { Command } from "commander";
import { dataOf } from "../../sdk/typescript/src/index.ts";
import { examples, type Given, type WantedEvents, wantedEvents, wantedFields } from "./options.ts";
import { note, printJson, printTable, printText } from "./screen.ts";
import { clientOf } from "./server.ts";

const list = new Command("list")
  .description("List the key's feeds; with --json also their addresses, which are secret.")
  .addHelpText("after", examples(["magpie feeds list --json | jq -r .atom_url", "their addresses"]))
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const { data } = dataOf(await clientOf(options).raw.GET("/feeds"));
    if (options.json) return data.forEach(printJson);
    if (data.length === 0) return note("There are none.");
    printTable(data, {
      id: ({ id }) => id,
      name: ({ name }) => name,
      types: ({ event_types }) => event_types.join(",") || "all",
      tags: ({ tags }) => tags.join(",") || undefined,
      sources: ({ sources }) => sources.join(",") || "all",
    });
  });

const create = wantedEvents(new Command("create").option("--name <name>", "the title that feed readers show"))
  .description(
    "Make a feed of events for a feed reader. Its Atom address is printed alone on standard output.",
  )
  .addHelpText(
    "after",
    examples(
      ["magpie feeds create --name Prices --tag shop", "events of sources with this tag"],
      ["magpie feeds create --type web.page.changed", "every page that changes"],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & WantedEvents & { name?: string };
    const { name } = options;
    const body = { ...(name !== undefined && { name }), ...wantedFields(options) };
    const { data } = dataOf(await clientOf(options).raw.POST("/feeds", { body }));
    if (options.json) return printJson(data);
    note(`Feed ${data.id}. Anyone with its address can read it. As JSON Feed: ${data.json_url}`);
    printText(data.atom_url);
  });

const remove = new Command("delete")
  .description("Delete a feed; its address answers 404 from then on.")
  .argument("<id>", "of the feed, as `magpie feeds list` shows it")
  .addHelpText("after", examples(["magpie feeds delete 5f0c6a52-3d0a-4b7e-9a53-0f8f0b7e2c11", "for good"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    dataOf(await clientOf(options).raw.DELETE("/feeds/{feed}", { params: { path: { feed: id } } }));
    if (options.json) printJson({ id, deleted: true });
    else note(`Feed ${id} is deleted.`);
  });

/** `magpie feeds …`. */
export const feeds = new Command("feeds")
  .description("Manage feeds of the key's events, which any feed reader can follow.")
  .addCommand(list)
  .addCommand(create)
  .addCommand(remove);
