import * as describeServer from "@atcute/atproto/types/server/describeServer";
import type { ProfileViewDetailed } from "@atcute/bluesky/types/app/actor/defs";
import * as getProfile from "@atcute/bluesky/types/app/actor/getProfile";
import { ok } from "@atcute/client";
import type { ActorIdentifier } from "@atcute/lexicons";
import { withTimeout } from "../../../../mixins/async/timeout.ts";
import { invalid } from "../../../contracts/errors.ts";
import type { MicroblogAbout, MicroblogAuthor, MicroblogProfile } from "../../../contracts/social.ts";
import { aboutFrom } from "../microblog-format.ts";
import type { Ask } from "./api.ts";
import { type AccountName, parseSid } from "./sid.ts";

/** The profile of the account that a name means; errors name the field. */
export async function findProfile(
  ask: Ask,
  { field, value }: { field: "sid" | "username"; value: string },
  signal: AbortSignal,
): Promise<ProfileViewDetailed> {
  const name = parseSid(value);
  if (!name) throw invalid(field, "malformed", `\`${field}\` must be a handle, a DID or a profile's URL.`);
  const actor = await actorOf(ask, name, signal);
  return await askForProfile(ask, actor, signal);
}

async function askForProfile(ask: Ask, actor: string, signal: AbortSignal): Promise<ProfileViewDetailed> {
  const params = { actor: actor as ActorIdentifier };
  return await ask(signal, (client, options) => ok(client.call(getProfile, { params, ...options })));
}

/** A bare name is a handle under the first domain that the service assigns to its users, such as `bsky.social`. */
async function actorOf(ask: Ask, name: AccountName, signal: AbortSignal): Promise<string> {
  if ("did" in name) return name.did;
  if ("handle" in name) return name.handle;
  const { availableUserDomains } = await ask(signal, (client, options) =>
    ok(client.call(describeServer, options)),
  );
  return `${name.name}${availableUserDomains[0] ?? ".bsky.social"}`;
}

/** The author in any view of an account. */
export function toAuthor({
  did,
  handle,
  displayName,
}: Pick<ProfileViewDetailed, "did" | "handle" | "displayName">): MicroblogAuthor {
  return { rest_id: did, name: displayName || handle, username: handle };
}

export function toProfile(profile: ProfileViewDetailed): MicroblogProfile {
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

export function toAbout(profile: ProfileViewDetailed): MicroblogAbout {
  return aboutFrom(toProfile(profile));
}

/** Whether a trusted verifier has verified the account, or it is one. Null where the profile says nothing. */
function isVerified({ verification }: ProfileViewDetailed): boolean | null {
  if (!verification) return null;
  return verification.verifiedStatus === "valid" || verification.trustedVerifierStatus === "valid";
}

/** Authors of live posts, cached: the live connection has their DIDs only. */
export interface Authors {
  /** Throws when the name cannot be found quickly: all live posts wait for it. */
  get(did: string, signal: AbortSignal): Promise<MicroblogAuthor>;
  /** The account has changed its handle or profile. */
  forget(did: string): void;
}

const maxKnown = 10_000;
/** Milliseconds. */
const lookupTimeoutMs = 2000;
/** After a failure, no name is looked up for this long. */
const failureCooldownMs = 30_000;

export function cacheAuthors(ask: Ask, now: () => number): Authors {
  const known = new Map<string, MicroblogAuthor>();
  let notBefore = 0;
  const find = async (did: string, signal: AbortSignal) => {
    if (now() < notBefore) throw new Error("The last look-up of a name failed a moment ago.");
    try {
      return await withTimeout(lookupTimeoutMs, signal, inTime => askForProfile(ask, did, inTime));
    } catch (error) {
      notBefore = now() + failureCooldownMs;
      throw error;
    }
  };
  return {
    async get(did, signal) {
      const author = known.get(did) ?? toAuthor(await find(did, signal));
      if (known.size >= maxKnown) known.clear();
      known.set(did, author);
      return author;
    },
    forget: did => void known.delete(did),
  };
}
