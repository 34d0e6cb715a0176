import type { LookupAll } from "../../mixins/egress/egress.ts";

export interface FakeDns {
  lookup: LookupAll;
  /** Names that were asked for, oldest first. */
  asked: string[];
}

/**
 * A resolver from a table. A list of lists answers in turn, the last one for ever: a name that rebinds. Names that
 * the table lacks do not exist.
 */
export function fakeDns(table: Record<string, string[] | string[][]>): FakeDns {
  const asked: string[] = [];
  const lookup: LookupAll = async name => {
    const turn = asked.filter(each => each === name).length;
    asked.push(name);
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    const answers = entry?.map(each => (typeof each === "string" ? undefined : each));
    const turns = answers?.every(each => each !== undefined) ? answers : [entry as string[] | undefined];
    const addresses = turns[Math.min(turn, turns.length - 1)];
    if (!addresses) throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: "ENOTFOUND" });
    return addresses.map(address => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { lookup, asked };
}
