import type { MicroblogAbout, MicroblogProfile } from "../../contracts/social.ts";

type Verified = Pick<MicroblogAbout, "is_blue_verified"> & MicroblogAbout["verification_info"];

/**
 * What a network knows about an account beyond its profile. No network gives its location, its former names or the shape
 * of its picture.
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

/** Codes for a language that is not known, or for none. */
const noLanguage = /^(?:und|zxx|mis|mul|art|q[a-t][a-z])\b/i;

/** A language as a network writes it, as a tag of BCP 47 in its usual form; null for one that says nothing. */
export function languageOf(code: unknown): string | null {
  if (typeof code !== "string" || noLanguage.test(code)) return null;
  try {
    return Intl.getCanonicalLocales(code.replaceAll("_", "-"))[0] ?? null;
  } catch {
    // What is no tag says nothing.
    return null;
  }
}

/** A time in the format of microblog posts: `Wed Oct 10 20:19:24 +0000 2018`. */
export function postDate(time: string | number): string {
  const [weekday, day, month, year, clock] = new Date(time).toUTCString().replace(",", "").split(" ");
  return `${weekday} ${month} ${day} ${clock} +0000 ${year}`;
}
