import type { mastodon } from "masto";
import { codeOf, fail, invalid } from "../../../contracts/errors.ts";
import type { Ask } from "./api.ts";
import { readSid } from "./read-sid.ts";

type Account = mastodon.v1.Account;

/**
 * The account that a name means; the field is what a refusal names. Of a `username`, digits are nothing but a name.
 * `home`: host of the server.
 */
export async function findAccount(
  { ask, home }: { ask: Ask; home: string },
  { field, value }: { field: "sid" | "username"; value: string },
  signal: AbortSignal,
): Promise<Account> {
  const name = readSid(value, home);
  if (!name) throw invalid(field, "invalid", `\`${field}\` must be user, user@host or a profile's URL.`);
  const { acct, id } = name;
  try {
    return await ask(signal, ({ v1 }) => v1.accounts.lookup({ acct }));
  } catch (error) {
    if (codeOf(error) !== "not_found") throw error;
    if (id !== undefined && field === "sid")
      return await ask(signal, ({ v1 }) => v1.accounts.$select(id).fetch());
    if (!acct.includes("@")) throw error;
    return await findElsewhere(ask, acct, signal);
  }
}

/** The look-up knows only accounts that the server has met; a search has it ask the other server. */
async function findElsewhere(ask: Ask, acct: string, signal: AbortSignal): Promise<Account> {
  const query = { q: `@${acct}`, type: "accounts", resolve: true, limit: 1 } as const;
  const { accounts } = await ask(signal, ({ v2 }) => v2.search.list(query));
  const [account] = accounts;
  if (!account) throw fail("not_found", "The Mastodon server knows no such account.");
  return account;
}
