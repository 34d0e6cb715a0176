import { Readable } from "node:stream";
import { call, type ParamsOf, type ParamsSchema } from "../../contracts/action.ts";
import { type AuditEvent, actFilters, readActs } from "../../contracts/audit.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import { csvLine } from "../../domain/text/csv.ts";
import { checkParams } from "../request/check-params.ts";
import type { OwnAnswer } from "../routes/route.ts";

export const exportTypes = {
  jsonl: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
} as const;

const exportParams: ParamsSchema = {
  $$strict: true,
  ...actFilters,
  as: {
    type: "enum",
    values: Object.keys(exportTypes),
    optional: true,
    description: "`jsonl`, an event a line, by default; or `csv`, for spreadsheets.",
  },
};

/** Acts that are in memory at a time. */
const limit = 100;
const timeoutMs = 15_000;

/** All acts up to now, oldest first. The next ones are read when the client has taken those before. */
export const exportActs: OwnAnswer = {
  kind: "own",
  params: exportParams,
  async answer({ broker, now }, params) {
    checkParams(exportParams, params);
    const { as = "jsonl", ...rest } = params as { as?: keyof typeof exportTypes };
    const filters: Filters = { until: new Date(now() + 1).toISOString(), ...rest };
    const read: Read = cursor =>
      call(
        broker,
        readActs,
        { ...filters, limit, ...(cursor !== undefined && { cursor }) },
        { timeout: timeoutMs },
      );
    // A refusal of the filters is the answer.
    const first = await read();
    return {
      type: exportTypes[as],
      headers: { "content-disposition": `attachment; filename="audit.${as}"` },
      body: Readable.from(textOf(first, read, as)),
    };
  },
};

type Filters = Omit<ParamsOf<typeof readActs>, "limit" | "cursor">;
type Read = (cursor?: string) => Promise<ListPage<AuditEvent>>;

async function* textOf(
  first: ListPage<AuditEvent>,
  read: Read,
  as: keyof typeof exportTypes,
): AsyncGenerator<string> {
  if (as === "csv") yield csvLine(columns);
  for (let page = first; ; page = await read(page.next_cursor)) {
    const text = page.data.map(as === "csv" ? rowOf : lineOf).join("");
    if (text !== "") yield text;
    if (page.next_cursor === null) return;
  }
}

function lineOf(event: AuditEvent): string {
  return `${JSON.stringify(event)}\n`;
}

const columns = [
  ...["id", "timestamp", "type", "role", "owner", "key_id", "signed_in", "path", "fields", "target"],
  ...["status", "code", "request_id", "client"],
];

function rowOf({ id, timestamp, type, data }: AuditEvent): string {
  const { actor, path, fields, target, status, code, request_id, client } = data;
  const named = Object.entries(path).map(([name, value]) => `${name}=${value}`);
  return csvLine([
    ...[id, timestamp, type, actor.role, actor.owner, actor.key_id, actor.signed_in, named.join(" ")],
    ...[fields.join(" "), target, status, code, request_id, client],
  ]);
}
