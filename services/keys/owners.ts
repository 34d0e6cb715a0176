import { createHash, randomBytes } from "node:crypto";
import type { Update } from "../../mixins/store/store.ts";
import { updateIf } from "../../mixins/store/update-if.ts";
import { fail } from "../contracts/errors.ts";
import type { OwnerSummary } from "../contracts/owners.contract.ts";
import type { ListPage } from "../contracts/paging.ts";
import type { OpenedSession } from "../contracts/session.contract.ts";
import type { KeysContext, StoredOwner } from "./context.ts";
import { cursorAt, findByName, folded, placeOf } from "./name-pages.ts";
import { refuseCommon } from "./passwords.ts";
import { openSessionOf } from "./sessions.ts";

/** A page of owners in the order of their names. */
export async function listOwners(
  { owners, keys }: KeysContext,
  { query = "", cursor, limit }: { query?: string; cursor?: string; limit: number },
): Promise<ListPage<OwnerSummary>> {
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const prefix = folded(query);
  const found = await findByName({ store: owners, field: "folded", prefix, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const counts = await keys.countEach(
    "owner",
    page.map(({ _id }) => _id),
  );
  const rowOf = ({ _id, password }: StoredOwner) => ({
    owner: _id,
    keys: counts.get(_id) ?? 0,
    has_password: password !== undefined,
  });
  return {
    data: page.map(rowOf),
    next_cursor: last ? cursorAt("owners", { name: last.folded, id: last._id }) : null,
    message: "Owners listed.",
  };
}

/** Records an owner, so that lists have it. */
export async function ensureOwner({ owners }: KeysContext, owner: string): Promise<void> {
  await owners.upsert(owner, { $set: { folded: folded(owner) } });
}

const linkMs = 24 * 3_600_000;

interface Link {
  data: { path: string; expires_at: string };
  message: string;
}

/**
 * A link by which an owner sets its password once, for 24 hours. Only a hash of its token is stored. The token is in the
 * fragment of the URL, which no server and no log of one sees.
 */
export async function createLink({ owners }: KeysContext, owner: string, now: number): Promise<Link> {
  const token = randomBytes(32).toString("base64url");
  const linkExpiresAt = new Date(now + linkMs).toISOString();
  await owners.upsert(owner, { $set: { folded: folded(owner), linkHash: hashOf(token), linkExpiresAt } });
  const data = { path: `/dashboard/welcome#${token}`, expires_at: linkExpiresAt };
  return { data, message: "Send this link to the owner. It works once, for 24 hours." };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

interface NewPassword {
  owner: string;
  opened: OpenedSession;
}

/** Sets the password by a one-time link. Of several attempts with one link one succeeds. */
export async function redeemLink(
  context: KeysContext,
  { token, password }: { token: string; password: string },
  now: number,
): Promise<NewPassword> {
  const linkHash = hashOf(token);
  const isGood = (owner: StoredOwner) =>
    owner.linkHash === linkHash && Date.parse(owner.linkExpiresAt ?? "") > now;
  const found = await context.owners.findOne({ linkHash });
  if (!found || !isGood(found)) throw usedLink();
  await refuseCommon("password", password);
  const changed = await setPassword(context, found._id, await context.passwords.hash(password), isGood);
  if (!changed) throw usedLink();
  return { owner: changed._id, opened: openSessionOf(context, changed, now) };
}

function usedLink(): Error {
  return fail("expired", "This link was used or has expired. Ask the administrator for a new one.");
}

/** Changes the password; null when the current one is wrong, or was changed in the meantime. */
export async function changePassword(
  context: KeysContext,
  { owner, current, next }: { owner: string; current: string; next: string },
  now: number,
): Promise<NewPassword | null> {
  const before = await context.owners.findById(owner);
  if (!before || !(await context.passwords.fits(current, before.password))) return null;
  await refuseCommon("new_password", next);
  const isSame = (found: StoredOwner) => found.password === before.password;
  const changed = await setPassword(context, owner, await context.passwords.hash(next), isSame);
  return changed && { owner, opened: openSessionOf(context, changed, now) };
}

/** A new password has a new generation, which ends the sessions of the former one, and ends the link. */
function setPassword(
  context: KeysContext,
  owner: string,
  password: string,
  isExpected: (owner: StoredOwner) => boolean,
): Promise<StoredOwner | null> {
  const update: Update<StoredOwner> = {
    $set: { password },
    $unset: { linkHash: true, linkExpiresAt: true },
    $inc: { generation: 1 },
  };
  return updateIf(context.owners, owner, isExpected, update);
}

/** Takes the password and the link away: the owner cannot sign in, and its sessions end. */
export async function removePassword({ owners }: KeysContext, owner: string): Promise<null> {
  const update: Update<StoredOwner> = {
    $unset: { password: true, linkHash: true, linkExpiresAt: true },
    $inc: { generation: 1 },
  };
  if (!(await owners.update(owner, update))) throw fail("not_found", "There is no owner with this name.");
  return null;
}

/** A session for an owner with its password; null when one of the two is wrong. Both take as long to find out. */
export async function openOwnerSession(
  context: KeysContext,
  { owner, password }: { owner: string; password: string },
  now: number,
): Promise<OpenedSession | null> {
  const found = await context.owners.findById(owner);
  if (!(await context.passwords.fits(password, found?.password)) || !found) return null;
  return openSessionOf(context, found, now);
}
