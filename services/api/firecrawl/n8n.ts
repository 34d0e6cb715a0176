import { isObject, present } from "../../domain/json/fields.ts";
import type { FormatSent } from "./formats.ts";
import type { PageBody } from "./page-options.ts";

interface NodeBody {
  integration?: unknown;
  formats?: FormatSent[];
  scrapeOptions?: PageBody;
  schema?: Record<string, unknown>;
}

/**
 * A body of n8n's node as it is meant. The node sends the formats of a job's pages beside `scrapeOptions`, which has them in
 * the node's own form; and it takes a schema whose properties are names of types. Other bodies stay as they are.
 */
export function meantByNode<Body extends object>(sent: Body & NodeBody): Body & NodeBody {
  if (sent.integration !== "n8n") return sent;
  const { formats, scrapeOptions, schema, ...body } = sent;
  const { formats: own, ...others } = scrapeOptions ?? {};
  const meant = formats ?? (Array.isArray(own) ? own : undefined);
  return {
    ...body,
    ...present({
      scrapeOptions: scrapeOptions && { ...others, ...(meant && { formats: meant }) },
      schema: schema && schemaOf(schema),
    }),
  } as Body & NodeBody;
}

const typeNames = new Set(["string", "number", "integer", "boolean", "array", "object"]);

function schemaOf(schema: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(schema);
  const isBrief = entries.length > 0 && entries.every(([, type]) => typeNames.has(type as string));
  if (!isBrief || isObject(schema.properties)) return schema;
  const properties = Object.fromEntries(entries.map(([name, type]) => [name, { type }]));
  return { type: "object", properties };
}
