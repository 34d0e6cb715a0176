import type { MicroblogAbout, MicroblogAuthor, MicroblogProfile } from "../../../contracts/social.ts";
import { aboutFrom } from "../about-from.ts";
import type { Profile } from "./find-profile.ts";

/** Of whichever view of an account. */
export function toAuthor({
  did,
  handle,
  displayName,
}: Pick<Profile, "did" | "handle" | "displayName">): MicroblogAuthor {
  return { rest_id: did, name: displayName || handle, username: handle };
}

export function toProfile(profile: Profile): MicroblogProfile {
  const { rest_id, name, username } = toAuthor(profile);
  return {
    id: rest_id,
    name,
    username,
    description: profile.description ?? null,
    profile_image_url: profile.avatar ?? null,
    // Everything on Bluesky is public.
    protected: null,
    verified: isVerified(profile),
    followers_count: profile.followersCount ?? null,
    following_count: profile.followsCount ?? null,
    created_at: profile.createdAt ?? null,
  };
}

export function toAbout(profile: Profile): MicroblogAbout {
  return aboutFrom(toProfile(profile));
}

/** By a trusted verifier, or as one. Null where nothing is said about it. */
function isVerified({ verification }: Profile): boolean | null {
  if (!verification) return null;
  return verification.verifiedStatus === "valid" || verification.trustedVerifierStatus === "valid";
}
