import type { mastodon } from "masto";
import { parseHtml } from "../../../../reader/html/parse-html.ts";
import { plainText } from "../../../../reader/html/plain-text.ts";
import { codeOf, fail, invalid } from "../../../contracts/errors.ts";
import type { MicroblogAbout, MicroblogAuthor, MicroblogProfile } from "../../../contracts/social.ts";
import { aboutFrom } from "../microblog-format.ts";
import type { Ask } from "./api.ts";
import { parseSid } from "./sid.ts";

type Account = mastodon.v1.Account;

/**
 * The account that a name means; errors name the field. In a `username`, digits are always a name. `home`: host of the
 * server.
 */
export async function findAccount(
  { ask, home }: { ask: Ask; home: string },
  { field, value }: { field: "sid" | "username"; value: string },
  signal: AbortSignal,
): Promise<Account> {
  const name = parseSid(value, home);
  if (!name) throw invalid(field, "malformed", `\`${field}\` must be user, user@host or a profile's URL.`);
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

/** The look-up knows only accounts that the server has seen; a search makes it ask the other server. */
async function findElsewhere(ask: Ask, acct: string, signal: AbortSignal): Promise<Account> {
  const query = { q: `@${acct}`, type: "accounts", resolve: true, limit: 1 } as const;
  const { accounts } = await ask(signal, ({ v2 }) => v2.search.list(query));
  const [account] = accounts;
  if (!account) throw fail("not_found", "The Mastodon server knows no such account.");
  return account;
}

/** `username` is the handle on the home server: `user`, or `user@host` for an account elsewhere. */
export function toAuthor({ id, displayName, username, acct }: Account): MicroblogAuthor {
  return { rest_id: id, name: displayName || username, username: acct };
}

export function toProfile(account: Account): MicroblogProfile {
  const { rest_id, name, username } = toAuthor(account);
  return {
    id: rest_id,
    name,
    username,
    description: plainText(parseHtml(account.note)),
    profile_image_url: account.avatar || null,
    protected: account.locked,
    // Mastodon verifies links of a profile, not people.
    verified: null,
    followers_count: account.followersCount,
    following_count: account.followingCount,
    created_at: account.createdAt,
  };
}

export function toAbout(account: Account): MicroblogAbout {
  return aboutFrom(toProfile(account));
}
