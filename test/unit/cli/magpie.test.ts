import { Command } from "commander";
import { withScheme } from "../../../cli/magpie/address.ts";
import { candidates } from "../../../cli/magpie/completion.ts";
import { isOfTypes, lineOf } from "../../../cli/magpie/events.ts";
import { exitCodes, failureOf } from "../../../cli/magpie/failure.ts";
import { isCron } from "../../../cli/magpie/monitor.ts";
import { pageOptions, requestOf } from "../../../cli/magpie/options.ts";
import { fitted, oneLine } from "../../../cli/magpie/screen.ts";
import { siteOptions, watchOf, watchOptions } from "../../../cli/magpie/watch-options.ts";
import { createProgram } from "../../../cli/magpie.ts";
import { MagpieConnectionError, MagpieError } from "../../../sdk/typescript/src/index.ts";

const program = createProgram();
const commands = program.commands.flatMap(command => [command, ...command.commands]);
const shown = commands.filter(
  command => !["keys", "webhooks", "feeds", "site", "monitor", "complete-words"].includes(command.name()),
);

test.each(shown.map(command => [command.name(), command] as const))(
  "the command %s has a description and examples that begin with its name",
  (name, command) => {
    let help = "";
    command.configureOutput({ writeOut: text => (help += text) }).outputHelp();
    expect(command.description()).toMatch(/^[A-Z].*\.$/);
    const [, examples = ""] = help.split("Examples:");
    expect(examples).toMatch(new RegExp(`magpie (keys |sources |webhooks |feeds |site |monitor )?${name}`));
  },
);

test.each<[string[], string[]]>([
  [["sc"], ["scrape"]],
  [
    ["keys", ""],
    ["create", "list", "rename", "delete", "help"],
  ],
  [["keys", "re"], ["rename"]],
  [
    ["site", ""],
    ["pages", "tree", "help"],
  ],
  [
    ["monitor", ""],
    ["create", "list", "show", "run", "checks", "pause", "continue", "delete", "help"],
  ],
  [
    ["site", "pages", "--state", "re"],
    ["removed", "refused"],
  ],
  [
    ["track", ""],
    ["microblog", "chatserver", "messenger", "web", "rss", "site", "search"],
  ],
  [["track", "rss", ""], []],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [
    ["scrape", "--format", "s"],
    ["summary", "screenshot"],
  ],
  [
    ["map", "https://a.example/", "--sitemaps", ""],
    ["include", "only", "skip"],
  ],
  [["map", "--sea"], ["--search"]],
  [["keys", "list", "--se"], ["--server"]],
  [
    ["--server", "https://a.example", "so"],
    ["sources", "source"],
  ],
  [["scrape", "--out", ""], []],
  [["scrape", "https"], []],
])("the words %j are completed with %j", (words, expected) =>
  expect(candidates(program, words).map(({ word }) => word)).toEqual(expected),
);

test("the first word is completed with every command but the one that shells run", () => {
  const names = candidates(program, [""]).map(({ word }) => word);
  expect(names).toEqual(expect.arrayContaining(["serve", "scrape", "listen"]));
  expect(names).not.toContain("complete-words");
});

/** The request of a command line. */
const asked = (line: string) => {
  const command = pageOptions(new Command()).option("--format <format>").exitOverride();
  return requestOf(command.parse(line.split(" ").filter(Boolean), { from: "user" }).opts());
};

test.each<[string, unknown]>([
  ["", {}],
  ["--no-js --whole-page", { js_render: { enabled: false }, request: { only_main_content: false } }],
  ["--include-tag article --include-tag .b", { request: { include_tags: ["article", ".b"] } }],
  ["--exclude-tag nav --mobile", { request: { device: "mobile", exclude_tags: ["nav"] } }],
  ["--wait-for 500", { js_render: { wait_for: { ms: 500 } } }],
  ["--wait-for #late", { js_render: { wait_for: { selector: "#late" } } }],
  ["--max-age 60000 --country de", { max_age: 60_000, proxy: { location: "de" } }],
  ['--actions [{"type":"scroll"}]', { js_render: { actions: [{ type: "scroll" }] } }],
  ["--format links", { output: { formats: ["links"] } }],
])("the options %j become their fields of the request only", async (line, expected) =>
  expect(await asked(line)).toEqual(expected),
);

/** The options of a watch that a command line becomes. */
const watched = (words: string[]) => {
  const command = siteOptions(watchOptions(new Command())).exitOverride();
  return watchOf(command.parse(words, { from: "user" }).opts());
};

test.each<[string[], unknown]>([
  [[], {}],
  [["--tag", "docs", "--interval", "1d"], { options: { tags: ["docs"], interval: "1d" } }],
  [
    ["--limit", "500", "--include", "/docs/**", "--exclude", "/old/**", "--depth", "3", "--subdomains"],
    {
      options: {
        limit: 500,
        include: ["/docs/**"],
        exclude: ["/old/**"],
        max_depth: 3,
        include_subdomains: true,
      },
    },
  ],
  [
    ["--domain", "example.com", "--domain", "example.org", "--window", "week", "--goal", "Openings"],
    { options: { domains: ["example.com", "example.org"], window: "week", goal: "Openings" } },
  ],
])("the words %j become the options of a watch", async (words, expected) =>
  expect(await watched(words)).toEqual(expected),
);

test.each([
  ["0 9 * * mon-fri", true],
  ["*/5 * * * *", true],
  ["every 30 minutes", false],
  ["every monday at 5:30 pm", false],
  ["daily at 9:00", false],
])("the time %j is a cron expression: %j", (text, expected) => {
  expect(isCron(text)).toBe(expected);
});

test.each([
  [400, exitCodes.failed],
  [401, exitCodes.refused],
  [403, exitCodes.refused],
  [422, exitCodes.failed],
  [429, exitCodes.unreachable],
  [502, exitCodes.failed],
  [503, exitCodes.unreachable],
])("an answer of %i ends with exit code %i", (status, exitCode) =>
  expect(
    failureOf(
      new MagpieError(status, { message: "No.", details: [{ field: "url", code: "required", message: "" }] }),
    ),
  ).toEqual({ exitCode, message: `${status}: No. (url)` }),
);

test("an error without an answer names the innermost reason", () => {
  const reason = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  const error = new MagpieConnectionError(
    "http://127.0.0.1:1/feeds",
    new TypeError("fetch failed", { cause: reason }),
  );
  expect(failureOf(error)).toEqual({
    exitCode: exitCodes.unreachable,
    message: "http://127.0.0.1:1/feeds cannot be reached (connect ECONNREFUSED 127.0.0.1:1).",
  });
});

test.each([
  [undefined, true],
  [["rss.item.created"], true],
  [["web.*", "rss.*"], true],
  [["rss"], false],
  [["web.page.changed"], false],
])("the types %j take an event of an item: %j", (types, expected) => {
  const event = {
    id: "evt_1",
    type: "rss.item.created",
    timestamp: "",
    seq: 1,
    data: { source: null },
  } as never;
  expect(isOfTypes(event, types)).toBe(expected);
});

test("text of others cannot control a terminal", () => {
  expect(oneLine("a\u001b[2Jb\nc\u202ed")).toBe("a [2Jb c d");
});

test.each([
  ["example.com", "https://example.com"],
  ["example.com:8443/a?b#c", "https://example.com:8443/a?b#c"],
  ["  münchen.example/ ", "https://münchen.example/"],
  ["8.8.8.8/x", "https://8.8.8.8/x"],
  ["localhost:8080/a", "http://localhost:8080/a"],
  ["127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["192.168.1.4", "http://192.168.1.4"],
  ["[::1]:80/", "http://[::1]:80/"],
  ["http://example.com/", "http://example.com/"],
  ["ftp://example.com/", "ftp://example.com/"],
  ["mailto:ada@example.com", "mailto:ada@example.com"],
  ["corvid_lab", "corvid_lab"],
  ["user@example.com", "user@example.com"],
  ["two words.example", "two words.example"],
])("the address %j is taken as %j", (given, expected) => expect(withScheme(given)).toBe(expected));

test.each(['{"a":1}', "[1", "/nothing-here.json"])(
  "%j is no list of actions, and the message says so",
  async given =>
    await expect(asked(`--actions ${given}`)).rejects.toMatchObject({ exitCode: exitCodes.usage }),
);

test("options as JSON are an object, and what is given by name takes the place of what is in it", async () => {
  expect(await watched(["--options", '{"interval":"1h","remove":["nav"]}', "--interval", "2h"])).toEqual({
    options: { interval: "2h", remove: ["nav"] },
  });
  await expect(watched(["--options", "[]"])).rejects.toThrow(/--options takes an object/);
});

const eventOf = (type: string, data: object) =>
  ({ id: "evt_1", seq: 7, timestamp: "2026-03-14T09:00:00.000Z", type, data }) as never;

test("an event is printed with its source and what it says, without control characters", () => {
  const source = { id: "1", kind: "RSS", name: "Nests", username: "https://a.example/feed" };
  const item = { title: "Two\u001b[2J owls", description: "They\nhatched.", url: "https://a.example/1" };
  const line = lineOf(eventOf("rss.item.created", { source, item }));
  expect(line).toMatch(/^7 {2}2026-03-14T09:00:00\.000Z {2}rss\.item\.created {2}Nests {2}Two/);
  expect(line).toContain("owls");
  expect(line).not.toMatch(/\p{Cc}/u);
});

test("a message of a chat is printed with its first words", () => {
  const source = { id: "2", kind: "CHATSERVER", name: "Owls", username: "owls" };
  const message = { authorName: "Ada", content: "They have hatched." };
  expect(lineOf(eventOf("chatserver.message.created", { source, message }))).toMatch(
    /Ada in Owls: They have hatched\.$/,
  );
});

test.each([
  ["short", 10, "short"],
  ["exactly10!", 10, "exactly10!"],
  ["longer than ten", 10, "longer th…"],
  ["鳥の巣箱です", 8, "鳥の巣…"],
  ["e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"],
])("the line %j fits %i columns as %j", (line, columns, expected) =>
  expect(fitted(line, columns)).toBe(expected),
);
