import { parseArgs } from "node:util";

/** Of `--nodes scraper=2,webhook-dispatcher=2`: how many nodes of which room. Throws a sentence that says what is wrong. */
export function nodesOf(args: string[], rooms: string[]): Record<string, number> {
  const { values } = parseArgs({ args, options: { nodes: { type: "string", default: "" } } });
  const entries = values.nodes.split(",").filter(entry => entry !== "");
  return Object.fromEntries(entries.map(entry => roomAndCount(entry, rooms)));
}

function roomAndCount(entry: string, rooms: string[]): [string, number] {
  const [, room = "", count] = /^([a-z-]+)=(\d{1,2})$/.exec(entry) ?? [];
  if (count === undefined) throw new Error(`--nodes: ${entry} is not of the form scraper=2`);
  if (!rooms.includes(room))
    throw new Error(`--nodes: there is no room ${room}; there are ${rooms.join(", ")}`);
  return [room, Number(count)];
}
