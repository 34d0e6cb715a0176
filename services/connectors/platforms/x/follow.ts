import { logEvent } from "../../../../mixins/log/log-events.ts";
import { codeOf } from "../../../contracts/errors.ts";
import { isRefusal } from "../../social/social-connector.ts";
import { dataOf, notFound, type XUser } from "./api.ts";
import type { XContext } from "./context.ts";
import { isId } from "./sid.ts";

/** The library's calls for follows take no signal, so the requests are made directly. */
const security = [{ OAuth2UserToken: ["follows.write", "tweet.read", "users.read"] }];

/**
 * Follows as the operator's account, where its token is set. Tracking does not depend on it: a follow that X does not
 * allow, as on most plans, or an outdated token, is only logged.
 */
export function follow(x: XContext, userId: string, signal: AbortSignal): Promise<void> {
  return asUser(x, userId, signal, me => ({
    method: "POST",
    path: `/2/users/${encodeURIComponent(me)}/following`,
    body: JSON.stringify({ target_user_id: userId }),
  }));
}

export function unfollow(x: XContext, userId: string, signal: AbortSignal): Promise<void> {
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
  x: XContext,
  userId: string,
  signal: AbortSignal,
  requestOf: (me: string) => UserRequest,
): Promise<void> {
  if (!isId(userId)) throw notFound();
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
    logEvent(x.tools.logger, "x_follow.refused", { userId, what, reason: String(Object(error).cause) });
  }
}

/** The account that the access token belongs to. */
async function ownId(x: XContext, signal: AbortSignal): Promise<string> {
  if (x.ownId !== undefined) return x.ownId;
  const answer = await x.api.ask<XUser>(
    "follows",
    (client, requestOptions) => client.users.getMe({ requestOptions }),
    signal,
  );
  x.ownId = dataOf(answer).id;
  return x.ownId;
}
