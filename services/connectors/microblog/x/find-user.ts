import type { XUser } from "./answers.ts";
import { dataOf } from "./judge.ts";
import type { AccountName } from "./parse-sid.ts";
import type { XRoom } from "./room.ts";

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

/** The account under a name or a number; `not_found` where X has none, or has suspended it. */
export async function findUser({ api }: XRoom, account: AccountName, signal: AbortSignal): Promise<XUser> {
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
