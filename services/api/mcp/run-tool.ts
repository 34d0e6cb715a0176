import { call } from "../../contracts/action.ts";
import type { ErrorExtras } from "../../contracts/errors.ts";
import { recordAct } from "../audit/acts.ts";
import type { Gateway } from "../context.ts";
import { requireScope } from "../http/standing.ts";
import { checkParams } from "../request/check-params.ts";
import { coerceQuery, dropNulls, resolveAliases } from "../request/read-params.ts";
import { idempotencyKeyOf, type Request } from "../request/request.ts";
import { publicError } from "../response/public-error.ts";
import { reportError } from "../response/send.ts";
import type { Route } from "../routes/route.ts";
import { type OfferedTool, pathNames, type ToolRow } from "./catalogue.ts";
import { answerText, type Part, pagingRules, partOf } from "./paging.ts";

type Json = Record<string, unknown>;

/** What a call of a tool answers. */
export interface ToolResult {
  [name: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Json;
  isError?: boolean;
}

const defaultTimeoutMs = 15_000;

/**
 * Calls a tool: runs its row as a request to the row does, with the same checks, for the same key. The request to the
 * gateway has been counted already. Errors are answers, in the sentences of the API. `signal` ends a wait.
 */
export async function runTool(
  gateway: Gateway,
  req: Request,
  { rows }: OfferedTool,
  args: Json,
  signal: AbortSignal,
): Promise<ToolResult> {
  const row = rowFor(rows, args);
  const { route } = row;
  const act = { route, path: pathOf(route, args), params: args };
  let isRecorded = false;
  try {
    requireScope(req.admission?.caller, route.scopes);
    const { part, fields } = readPaging(route, args);
    const body = await runRow(gateway, req, route, fields, signal);
    isRecorded = true;
    await recordAct(gateway, req, act, { status: route.status, body });
    return toResult(row, body, part);
  } catch (error) {
    const { status, code } = publicError(error, route);
    if (!isRecorded) await recordAct(gateway, req, act, { status, code });
    return failed(gateway, req, route, error);
  }
}

function pathOf(route: Route, args: Json): Record<string, string> {
  return Object.fromEntries(pathNames(route).map(name => [name, String(args[name] ?? "")]));
}

/** The row whose path the arguments fill; the last one has no path to fill, or is the only one. */
function rowFor(rows: ToolRow[], args: Json): ToolRow {
  const fitting = rows.find(({ route }) => pathNames(route).every(name => args[name] != null));
  const row = fitting ?? rows.at(-1);
  if (!row) throw new TypeError("a tool has a row");
  return row;
}

function readPaging({ action }: Route, { max_chars, cursor, ...fields }: Json): { part: Part; fields: Json } {
  const paging = dropNulls(pagingRules, { max_chars, cursor });
  const given = Object.fromEntries(Object.entries(paging).filter(([, value]) => value !== undefined));
  checkParams(pagingRules, given);
  const part = partOf(given as Parameters<typeof partOf>[0]);
  const takesCursor = "cursor" in action.params && part.rowCursor !== undefined;
  return { part, fields: takesCursor ? { ...fields, cursor: part.rowCursor } : fields };
}

/** Runs the row of a tool with these fields, and answers with its body. */
export async function runRow(
  gateway: Gateway,
  req: Request,
  route: Route,
  fields: Json,
  signal: AbortSignal,
): Promise<unknown> {
  const { action } = route;
  const params = paramsOf(route, fields);
  if (action.kind === "service") {
    const { caller, owner, acting } = req.admission ?? {};
    const idempotencyKey = route.idempotent ? idempotencyKeyOf(req.headers) : undefined;
    const meta = { caller, owner, acting, idempotencyKey };
    const timeout = route.timeoutMs?.(params) ?? defaultTimeoutMs;
    return await call(req.$ctx ?? gateway.broker, action, params, { timeout, meta });
  }
  if (action.kind !== "own") throw new TypeError(`${route.path} is no tool`);
  if (route.method !== "GET") checkParams(action.params, params);
  return (await action.answer(gateway, params, req, signal)).body;
}

/** Arguments have types already, so text is read as a query's only where the rule wants something else. */
function paramsOf(route: Route, fields: Json): Json {
  const { action, aliases = {}, method } = route;
  const given = dropNulls(action.params, fields);
  if (method !== "GET") return given;
  return coerceQuery(resolveAliases(given as Record<string, string>, aliases), action.params);
}

/**
 * A client that finds `structuredContent` may show its model nothing else, so only an answer without content from outside
 * has it: else the model would see the content without its fence, or not at all.
 */
function toResult({ tool }: ToolRow, answer: unknown, part: Part): ToolResult {
  const text = tool.text(answer as never);
  const content: ToolResult["content"] = [{ type: "text", text: answerText(text, part) }];
  return text.content === undefined ? { content, structuredContent: answer as Json } : { content };
}

function failed(gateway: Gateway, req: Request, route: Route, error: unknown): ToolResult {
  const { status, code, message, extras } = publicError(error, route);
  if (status >= 500) reportError(gateway.logger, req, status, error);
  const text = [`${code}: ${message}`, ...hints(extras, message), `request_id: ${req.requestId}`].join("\n");
  return { content: [{ type: "text", text }], isError: true };
}

function hints({ details = [], retry_after, rules = [] }: ErrorExtras, message: string): string[] {
  // The field is named once: some messages do.
  const named = details.map(({ field, message: each }) =>
    each.includes(field) ? each : `\`${field}\`: ${each}`,
  );
  const others = named.filter(each => each !== message);
  const wait = retry_after === undefined ? [] : [`Try again in ${retry_after} s.`];
  return [...others, ...(rules.length > 0 ? [`Rules that refused it: ${rules.join(", ")}.`] : []), ...wait];
}
