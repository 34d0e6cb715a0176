import type { ApiKeyRecord } from "../contracts/keys.contract.ts";
import { ownerRecord } from "./records.ts";
import type { KeyRoom } from "./room.ts";

interface MyKeys {
  data: { apiKeys: ApiKeyRecord[]; messengerDefaultApiKeyId: string | null };
  message: string;
}

/** The owner's keys, newest first, and the one that the messenger bot uses. */
export async function listMyKeys(room: KeyRoom, owner: string): Promise<MyKeys> {
  const keys = await room.keys.find({ query: { owner }, sort: ["-_id"] });
  const chosen = (await room.owners.findById(owner))?.messengerDefaultApiKeyId;
  // A choice ends with its key; identities are never used again, so it need not be cleared.
  const stands = keys.some(key => key._id === chosen);
  return {
    data: {
      apiKeys: keys.map(key => ownerRecord(room, key)),
      messengerDefaultApiKeyId: stands ? (chosen ?? null) : null,
    },
    message: "API keys listed.",
  };
}
