import { codeOf } from "../../../contracts/errors.ts";
import { isRefusal } from "../../social/refusal.ts";
import type { XUser } from "./answers.ts";
import { dataOf, missing } from "./judge.ts";
import { isId } from "./parse-sid.ts";
import type { XRoom } from "./room.ts";

/** The library's own calls for this take no signal. */
const security = [{ OAuth2UserToken: ["follows.write", "tweet.read", "users.read"] }];

/**
 * Follows in the name of the operator's account, where its token is set. Tracking does not depend on it: a follow that X
 * does not allow, as to most plans, or an outdated token, is a line in the log.
 */
export function follow(x: XRoom, userId: string, signal: AbortSignal): Promise<void> {
  return asUser(x, userId, signal, me => ({
    method: "POST",
    path: `/2/users/${encodeURIComponent(me)}/following`,
    body: JSON.stringify({ target_user_id: userId }),
  }));
}

export function unfollow(x: XRoom, userId: string, signal: AbortSignal): Promise<void> {
  return asUser(x, userId, signal, me => ({
    method: "DELETE",
    path: `/2/users/${encodeURIComponent(me)}/following/${encodeURIComponent(userId)}`,
  }));
}

interface UserRequest {
  method: "POST" | "DELETE";
  path: string;
  body?: string;
}

async function asUser(
  x: XRoom,
  userId: string,
  signal: AbortSignal,
  requestOf: (me: string) => UserRequest,
): Promise<void> {
  if (!isId(userId)) throw missing();
  if (!x.settings.accessToken) return;
  try {
    const { method, path, body } = requestOf(await ownId(x, signal));
    await x.api.ask(
      "follows",
      (client, options) => client.request(method, path, { ...options, security, body }),
      signal,
    );
  } catch (error) {
    if (!isRefusal(error) && codeOf(error) !== "not_found") throw error;
    const what =
      "X refuses to follow; check X_ACCESS_TOKEN and what the plan allows. Posts come in all the same.";
    x.tools.logger.warn("x.follow.refused", { userId, what, reason: String(Object(error).cause) });
  }
}

/** The account that the access token belongs to. */
async function ownId(x: XRoom, signal: AbortSignal): Promise<string> {
  if (x.ownId !== undefined) return x.ownId;
  const answer = await x.api.ask<XUser>(
    "follows",
    (client, requestOptions) => client.users.getMe({ requestOptions }),
    signal,
  );
  x.ownId = dataOf(answer).id;
  return x.ownId;
}
