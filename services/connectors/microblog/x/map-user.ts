import type { MicroblogAbout, MicroblogProfile } from "../../../contracts/social.ts";
import type { XUser } from "./answers.ts";

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

/** X's API tells nothing of where an account is based, of its former names, or of the shape of its picture. */
export function toAbout(user: XUser): MicroblogAbout {
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    created_at: user.created_at ?? null,
    about_profile: {
      account_based_in: null,
      created_country_accurate: null,
      location_accurate: null,
      source: null,
      username_changes: null,
    },
    avatar: { image_url: user.profile_image_url ?? null },
    is_blue_verified: user.verified_type === undefined ? null : user.verified_type === "blue",
    profile_image_shape: null,
    privacy: { protected: user.protected ?? null },
    verification: { verified: user.verified ?? null },
    verification_info: { is_identity_verified: user.is_identity_verified ?? null },
  };
}
