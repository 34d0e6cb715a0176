import type { MicroblogAbout, MicroblogProfile } from "../../../contracts/social.ts";
import { aboutFrom } from "../microblog-format.ts";
import { dataOf, type XUser } from "./api.ts";
import type { XContext } from "./context.ts";
import type { AccountName } from "./sid.ts";

const userFields = [
  "created_at",
  "description",
  "is_identity_verified",
  "profile_image_url",
  "protected",
  "public_metrics",
  "verified",
  "verified_type",
] as const;

/** The account of a name or a number. Throws `not_found` where X has none, or has suspended it. */
export async function findUser({ api }: XContext, account: AccountName, signal: AbortSignal): Promise<XUser> {
  const answer = await api.ask<XUser>(
    "users",
    (client, requestOptions) => {
      const options = { userFields: [...userFields], requestOptions };
      return "id" in account
        ? client.users.getById(account.id, options)
        : client.users.getByUsername(account.username, options);
    },
    signal,
  );
  return dataOf(answer);
}

export function toProfile(user: XUser): MicroblogProfile {
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    description: user.description ?? null,
    profile_image_url: user.profile_image_url ?? null,
    protected: user.protected ?? null,
    verified: user.verified ?? null,
    followers_count: user.public_metrics?.followers_count ?? null,
    following_count: user.public_metrics?.following_count ?? null,
    created_at: user.created_at ?? null,
  };
}

export function toAbout(user: XUser): MicroblogAbout {
  return aboutFrom(toProfile(user), {
    ...(user.verified_type !== undefined && { is_blue_verified: user.verified_type === "blue" }),
    is_identity_verified: user.is_identity_verified ?? null,
  });
}
