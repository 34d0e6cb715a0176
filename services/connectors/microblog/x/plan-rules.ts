import type { XRule } from "./answers.ts";

/** Marks the rules of this service; those of others in the same app stay as they are. */
export const ruleTag = "magpie";
const maxLength = 512;
const end = ") -is:retweet";

/**
 * What is to be added and removed so that the rules name the wanted accounts, and no other, in as few rules as their
 * length allows. Full rules stay as they are, so that a new account changes one rule and not all. To be added first and
 * removed then, so that nobody goes unheard in between.
 */
export function planRules(existing: XRule[], wanted: string[]): { add: string[]; remove: string[] } {
  const missing = new Set(wanted);
  const remove: string[] = [];
  for (const { id, value } of existing) {
    const named = accountsOf(value);
    const stays = isFull(named) && ruleOf(named) === value && named.every(account => missing.has(account));
    if (stays) for (const account of named) missing.delete(account);
    else remove.push(id);
  }
  return withoutRepeats(existing, { add: packed([...missing].sort()), remove });
}

/** Rules as they are written; the longest that fit, in the order given. */
function packed(accounts: string[]): string[] {
  const rules: string[][] = [];
  for (const account of accounts) {
    const last = rules.at(-1);
    if (last && ruleOf([...last, account]).length <= maxLength) last.push(account);
    else rules.push([account]);
  }
  return rules.map(ruleOf);
}

/** X refuses a rule that stands already. */
function withoutRepeats(existing: XRule[], { add, remove }: { add: string[]; remove: string[] }) {
  const standing = new Map(existing.map(({ id, value }) => [value, id]));
  const kept = new Set(add.map(value => standing.get(value)));
  return {
    add: add.filter(value => !standing.has(value)),
    remove: remove.filter(id => !kept.has(id)),
  };
}

function ruleOf(accounts: string[]): string {
  return `(${accounts.map(account => `from:${account}`).join(" OR ")}${end}`;
}

function accountsOf(value: string): string[] {
  return [...value.matchAll(/from:(\d+)/g)].map(([, account = ""]) => account);
}

function isFull(accounts: string[]): boolean {
  const longest = "9".repeat(19);
  return ruleOf([...accounts, longest]).length > maxLength;
}
