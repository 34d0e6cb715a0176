import type { MicroblogAbout, MicroblogProfile } from "../../contracts/social.ts";

type Verified = Pick<MicroblogAbout, "is_blue_verified"> & MicroblogAbout["verification_info"];

/**
 * What the network tells of an account beyond its profile. None of them tells where an account is based, its former
 * names, or the shape of its picture.
 */
export function aboutFrom(profile: MicroblogProfile, verified: Partial<Verified> = {}): MicroblogAbout {
  const { id, name, username, created_at } = profile;
  return {
    id,
    name,
    username,
    created_at,
    about_profile: {
      account_based_in: null,
      created_country_accurate: null,
      location_accurate: null,
      source: null,
      username_changes: null,
    },
    avatar: { image_url: profile.profile_image_url },
    is_blue_verified: verified.is_blue_verified ?? null,
    profile_image_shape: null,
    privacy: { protected: profile.protected },
    verification: { verified: profile.verified },
    verification_info: { is_identity_verified: verified.is_identity_verified ?? null },
  };
}
