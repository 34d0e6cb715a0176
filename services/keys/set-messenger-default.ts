import { fail } from "../contracts/errors.ts";
import type { KeyRoom } from "./room.ts";

interface Choice {
  data: { messengerDefaultApiKeyId: string | null };
  message: string;
}

/** Names the key of this owner that the messenger bot uses; null for none. */
export async function setMessengerDefault(
  { keys, owners }: KeyRoom,
  owner: string,
  apiKeyId: string | null,
): Promise<Choice> {
  if (apiKeyId !== null && (await keys.findById(apiKeyId))?.owner !== owner)
    throw fail("not_found", "You have no API key with this id.");
  await owners.upsert(owner, { $set: { messengerDefaultApiKeyId: apiKeyId } });
  const message = apiKeyId === null ? "The messenger bot uses no key." : "The messenger bot uses this key.";
  return { data: { messengerDefaultApiKeyId: apiKeyId }, message };
}
