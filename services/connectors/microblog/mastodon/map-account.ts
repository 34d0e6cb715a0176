import type { mastodon } from "masto";
import type { MicroblogAbout, MicroblogAuthor, MicroblogProfile } from "../../../contracts/social.ts";
import { parseHtml } from "../../../domain/extract/parse-html.ts";
import { plainText } from "../../../domain/extract/plain-text.ts";
import { aboutFrom } from "../about-from.ts";

type Account = mastodon.v1.Account;

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
