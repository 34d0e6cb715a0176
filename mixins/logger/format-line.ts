import { inspect } from "node:util";

interface Bindings {
  mod?: string;
  nodeID?: string;
}

export type FormatLine = (level: string, args: unknown[], bindings?: Bindings) => string;

/** One JSON object a line: `time, level, room, node, event`, and the fields that came with it. */
export const jsonLine: FormatLine = (level, args, { mod, nodeID } = {}) => {
  const { event, fields } = split(args);
  const line = { time: new Date().toISOString(), level, room: mod, node: nodeID, event, ...fields };
  return JSON.stringify(line, (_name, value: unknown) => (value instanceof Error ? plain(value) : value));
};

export const prettyLine: FormatLine = (level, args, { mod } = {}) => {
  const { event, fields } = split(args);
  const shown = inspect(fields, { depth: 4, breakLength: Number.POSITIVE_INFINITY });
  const time = new Date().toTimeString().slice(0, 8);
  const rest = Object.keys(fields).length ? ` ${shown}` : "";
  return `${time} ${level.padEnd(5)} ${(mod ?? "").padEnd(10)} ${event}${rest}`;
};

/** Moleculer itself logs words and errors in any order; ours are an event name and one object. */
function split(args: unknown[]): { event: string; fields: Record<string, unknown> } {
  const words: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const arg of args)
    if (arg instanceof Error) fields.error = arg;
    else if (typeof arg === "object" && arg !== null) Object.assign(fields, arg);
    else words.push(String(arg));
  return { event: words.join(" "), fields };
}

function plain(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) };
}
