import type { TrackedSource } from "../../contracts/source-lists.contract.ts";
import type { Gateway } from "../context.ts";
import { requireScope } from "../http/standing.ts";
import type { Request } from "../request/request.ts";
import { publicError } from "../response/public-error.ts";
import type { OfferedTool } from "./catalogue.ts";
import { answerText } from "./paging.ts";
import type { Target } from "./resource-uris.ts";
import { runRow } from "./run-tool.ts";

export const resourceTemplates = [
  {
    uriTemplate: "magpie://events{?after}",
    name: "events",
    title: "Events",
    description: "The key's events after the one with the `seq` `after`; without it the latest 50.",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "magpie://sources/{id}{?after}",
    name: "source",
    title: "A tracked source",
    description: "A source as it is now and, with `after`, its events after that `seq`.",
    mimeType: "text/plain",
  },
];

interface Offered {
  tools: Map<string, OfferedTool>;
}

/** Lists what the key may subscribe to: its events, and its sources a page at a time. */
export async function listResources(
  gateway: Gateway,
  req: Request,
  { tools }: Offered,
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const fields = { limit: 100, ...(cursor !== undefined && { cursor }) };
  const { answer } = await runOf(gateway, req, { tools }, "list_sources", fields, signal);
  const { data, next_cursor } = answer as { data: TrackedSource[]; next_cursor: string | null };
  const sources = data.map(({ id, source, name, externalId }) => ({
    uri: `magpie://sources/${id}`,
    name: name || externalId,
    description: `A tracked source of the kind ${source}.`,
    mimeType: "text/plain",
  }));
  const all = {
    uri: "magpie://events",
    name: "events",
    title: "Events",
    description: "All events of the key.",
    mimeType: "text/plain",
  };
  return {
    resources: cursor === undefined ? [all, ...sources] : sources,
    ...(next_cursor !== null && { nextCursor: next_cursor }),
  };
}

/** Reads a resource as a text for models: what comes from outside is fenced, as in the answers of tools. */
export async function readResource(
  gateway: Gateway,
  req: Request,
  offered: Offered,
  target: Target,
  signal: AbortSignal,
): Promise<string> {
  const { sourceId: id } = target;
  const texts: string[] = [];
  const add = async (tool: string, fields: object) => {
    const { answer, text } = await runOf(gateway, req, offered, tool, fields, signal);
    texts.push(answerText(text(answer as never), { maxChars: longestText, from: 0, rowCursor: undefined }));
  };
  if (id !== undefined) await add("get_source", { id });
  if (id === undefined || target.after !== undefined) {
    const after = target.after ?? (await startOfLatest(gateway, req));
    await add("read_events", { after, limit: latest, ...(id !== undefined && { sources: [id] }) });
  }
  return texts.join("\n\n");
}

/** Events in a resource, at most; `next_after` says where the next ones are. */
const latest = 50;
/** An answer with events has at most 1 MB. */
const longestText = 2_000_000;

async function startOfLatest({ streams }: Gateway, { admission }: Request): Promise<number> {
  const { keyId } = admission?.caller ?? {};
  if (keyId === undefined) throw new TypeError("events belong to a key");
  const bounds = await streams.context.log.bounds(keyId);
  return Math.max(bounds.latest - latest, bounds.oldest - 1, 0);
}

/** Runs the row of a tool. */
async function runOf(
  gateway: Gateway,
  req: Request,
  { tools }: Offered,
  name: string,
  fields: object,
  signal: AbortSignal,
) {
  const row = tools.get(name)?.rows.at(-1);
  if (!row) throw new TypeError(`there is no tool ${name}`);
  requireScope(req.admission?.caller, row.route.scopes);
  const answer = await runRow(gateway, req, row.route, { ...fields }, signal);
  return { answer, text: row.tool.text };
}

/** An error of the API as one of the protocol: its code and its sentence. */
export function sentenceOf(error: unknown): string {
  const { code, message } = publicError(error);
  return `${code}: ${message}`;
}
