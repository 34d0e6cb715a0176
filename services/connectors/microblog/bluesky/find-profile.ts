import type { AppBskyActorDefs } from "@atproto/api";
import { invalid } from "../../../contracts/errors.ts";
import type { Ask } from "./api.ts";
import { type AccountName, readSid } from "./read-sid.ts";

export type Profile = AppBskyActorDefs.ProfileViewDetailed;

/** The profile of the account that a name means; the field is what a refusal names. */
export async function findProfile(
  ask: Ask,
  { field, value }: { field: "sid" | "username"; value: string },
  signal: AbortSignal,
): Promise<Profile> {
  const name = readSid(value);
  if (!name) throw invalid(field, "invalid", `\`${field}\` must be a handle, a DID or a profile's URL.`);
  const actor = await actorOf(ask, name, signal);
  return await ask(signal, (agent, options) => agent.getProfile({ actor }, options));
}

/** A bare name is a handle under the first domain that the service gives to its users, such as `bsky.social`. */
async function actorOf(ask: Ask, name: AccountName, signal: AbortSignal): Promise<string> {
  if ("did" in name) return name.did;
  if ("handle" in name) return name.handle;
  const { availableUserDomains } = await ask(signal, ({ com }, options) =>
    com.atproto.server.describeServer({}, options),
  );
  return `${name.name}${availableUserDomains[0] ?? ".bsky.social"}`;
}
