import type { MicroblogAbout, MicroblogProfile } from "../../../contracts/social.ts";
import { aboutFrom } from "../about-from.ts";
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

export function toAbout(user: XUser): MicroblogAbout {
  return aboutFrom(toProfile(user), {
    ...(user.verified_type !== undefined && { is_blue_verified: user.verified_type === "blue" }),
    is_identity_verified: user.is_identity_verified ?? null,
  });
}
