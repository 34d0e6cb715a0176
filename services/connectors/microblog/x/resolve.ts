import type { ResolvedSource } from "../../../contracts/connectors.contract.ts";
import { codeOf, fail } from "../../../contracts/errors.ts";
import type { XUser } from "./answers.ts";
import { findUser } from "./find-user.ts";
import { missing } from "./judge.ts";
import { type AccountName, parseSid } from "./parse-sid.ts";
import { newestId } from "./read-timeline.ts";
import type { XRoom } from "./room.ts";

/** The account that a `sid` means. A protected one is not found: app-only reading, and the stream, do not show it. */
export async function resolve(x: XRoom, sid: string, signal: AbortSignal): Promise<ResolvedSource> {
  const { id, username, name, protected: isProtected } = await findAny(x, parseSid(sid), signal);
  if (isProtected) throw fail("not_found", "This account shows its posts to its followers only.");
  const state = { cursor: await newestId(x, id, signal) };
  return { externalId: id, username, name, kind: "microblog", state };
}

/** The first account that X knows. */
async function findAny(x: XRoom, [account, ...others]: AccountName[], signal: AbortSignal): Promise<XUser> {
  if (!account) throw missing();
  try {
    return await findUser(x, account, signal);
  } catch (error) {
    if (others.length === 0 || codeOf(error) !== "not_found") throw error;
    return await findAny(x, others, signal);
  }
}
