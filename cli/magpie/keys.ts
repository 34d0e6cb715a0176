import { Command, InvalidArgumentError } from "commander";
import { type components, dataOf, itemsOf } from "../../sdk/typescript/src/index.ts";
import { type KeyScope, keyScopes } from "../../services/contracts/key-scopes.ts";
import { quotaWords } from "../../services/domain/quota/quotas.ts";
import { examples, type Given, number } from "./options.ts";
import { note, printJson, printTable, printText } from "./screen.ts";
import { adminClientOf } from "./server.ts";

interface LimitsGiven {
  requestsPerMinute?: number;
  concurrentScrapes?: number;
  concurrentCrawls?: number;
  trackedSources?: number;
}

const create = new Command("create")
  .description("Generate a key. Its value is printed once, alone on standard output.")
  .argument("<name>", "a label to recognise the key by")
  .requiredOption("--owner <name>", "whose key it is: any name")
  .option("--requests-per-minute <n>", "by default 600", number)
  .option("--concurrent-scrapes <n>", "by default 10", number)
  .option("--concurrent-crawls <n>", "by default 2", number)
  .option("--tracked-sources <n>", "by default 1000", number)
  .option("--quota <name/period=n>", "such as pages/day=1000; may be given again; by default none", quota)
  .option("--scope <name>", `${keyScopes.join(", ")}; may be given again; by default all`, scope)
  .option("--expires <time>", "when it ends, such as 2030-01-31T00:00:00Z; by default never")
  .addHelpText("after", examples(["KEY=$(magpie keys create laptop --owner ada)", "a key in a variable"]))
  .action(async (name: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & LimitsGiven & KeyGiven;
    const { owner, quota: quotas, scope: scopes, expires: expires_at } = options;
    const bounds = {
      ...(quotas && { quotas }),
      ...(scopes && { scopes }),
      ...(expires_at !== undefined && { expires_at }),
    };
    const body = { name, owner, limits: limitsOf(options), ...bounds };
    const { data } = dataOf(await adminClientOf(options).raw.POST("/internal/keys", { body }));
    if (options.json) return printJson(data);
    note(`Key ${data.id} of ${data.owner}. The value is shown this once.`);
    printText(data.key);
  });

interface KeyGiven {
  owner: string;
  quota?: Quotas;
  scope?: KeyScope[];
  expires?: string;
}

/** Adds a scope to those given before it. */
function scope(text: string, before: KeyScope[] = []): KeyScope[] {
  const found = keyScopes.find(each => each === text);
  if (!found) throw new InvalidArgumentError(`A scope is one of ${keyScopes.join(", ")}.`);
  return [...new Set([...before, found])];
}

type Quotas = Record<string, Record<string, number>>;

/** Adds a quota to those given before it. The service checks its name and period. */
function quota(text: string, before: Quotas = {}): Quotas {
  const [, name = "", period = "", amount] = /^(\w+)\/(\w+)=(\d+)$/.exec(text) ?? [];
  if (amount === undefined)
    throw new InvalidArgumentError("A quota is a name, a period and a number, such as pages/day=1000.");
  return { ...before, [period]: { ...before[period], [name]: Number(amount) } };
}

function limitsOf(options: LimitsGiven): LimitsGiven {
  const { requestsPerMinute, concurrentScrapes, concurrentCrawls, trackedSources } = options;
  const limits = { requestsPerMinute, concurrentScrapes, concurrentCrawls, trackedSources };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

const list = new Command("list")
  .description("List keys, newest first, without their values.")
  .option("--owner <name>", "only keys of this owner")
  .addHelpText("after", examples(["magpie keys list --owner ada", "the keys of one owner"]))
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { owner?: string };
    const { raw } = adminClientOf(options);
    const ask = (cursor: string | undefined) =>
      raw.GET("/internal/keys", { params: { query: { cursor, limit: 200, owner: options.owner } } });
    const rows: components["schemas"]["ApiKeyDetails"][] = [];
    for await (const key of itemsOf(ask)) rows.push(key);
    if (options.json) return rows.forEach(printJson);
    if (rows.length === 0) return note("There are none.");
    printTable(rows, {
      id: ({ id }) => id,
      owner: ({ owner }) => owner,
      name: ({ name }) => name,
      "requests/min": ({ limits }) => limits.requestsPerMinute,
      sources: ({ limits }) => limits.trackedSources,
      quotas: ({ quotas }) => quotaWords(quotas),
      scopes: ({ scopes }) => scopes?.join(",") ?? "all",
      expires: ({ expires_at }) => expires_at ?? "never",
      "last used": ({ last_used_at }) => last_used_at ?? "",
      created: ({ createdAt }) => createdAt,
    });
  });

const rename = new Command("rename")
  .description("Give a key another label.")
  .argument("<id>", "of the key, as `magpie keys list` shows it")
  .argument("<name>", "the new label")
  .addHelpText("after", examples(["magpie keys rename 01JQ4T5W6X7Y8Z9ABCDEFGHJKM staging", "another label"]))
  .action(async (id: string, name: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const params = { path: { id } };
    const { raw } = adminClientOf(options);
    const { data } = dataOf(await raw.PATCH("/internal/keys/{id}", { params, body: { name } }));
    if (options.json) printJson(data);
    else printText(`${data.id}  ${data.name}`);
  });

const remove = new Command("delete")
  .description(
    "Delete a key. It stops working on every node within a second; its events and sources go with it.",
  )
  .argument("<id>", "of the key, as `magpie keys list` shows it")
  .addHelpText("after", examples(["magpie keys delete 01JQ4T5W6X7Y8Z9ABCDEFGHJKM", "for good"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const params = { path: { id } };
    dataOf(await adminClientOf(options).raw.DELETE("/internal/keys/{id}", { params }));
    if (options.json) printJson({ id, deleted: true });
    else note(`Key ${id} is deleted.`);
  });

/** `magpie keys …`, for administrators. */
export const keys = new Command("keys")
  .description("Manage API keys; needs the admin key.")
  .addCommand(create)
  .addCommand(list)
  .addCommand(rename)
  .addCommand(remove);
