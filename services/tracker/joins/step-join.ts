import type { JoinStanding } from "../../contracts/platforms.contract.ts";
import { isAbsence, retryAfterMs } from "../absence.ts";
import type { Platforms } from "../platforms.ts";
import { refusal } from "../refusal.ts";
import type { TrackerRoom } from "../room.ts";
import { type LeasedJoin, underLease } from "./lease-join.ts";
import { letIn } from "./let-in.ts";
import { expireJobs, settleJoin } from "./settle-join.ts";

/**
 * Takes the next step with a request: ask, look whether somebody has decided, or track what we were let into. That we
 * ask is on disk before we do, so a process that died at any moment goes on with looking; it asks again only where the
 * platform itself says that nobody has. A step that breaks is taken again later.
 */
export async function stepJoin(room: TrackerRoom, join: LeasedJoin, platforms: Platforms): Promise<void> {
  if (!(await expireJobs(room, join))) return;
  if (join.isIn) return letIn(room, join, platforms);
  try {
    const standing =
      join.requestedAt === undefined ? await ask(room, join, platforms) : await look(room, join, platforms);
    await settleJoin(room, join, standing);
  } catch (error) {
    await settleJoin(room, join, { state: "pending", notBefore: null });
    throw error;
  }
}

async function ask(room: TrackerRoom, join: LeasedJoin, platforms: Platforms): Promise<JoinStanding> {
  const { kind, invite } = join;
  const mark = { $set: { requestedAt: room.now() } };
  const isOurs = await underLease(room, join, ({ joins }) => void joins.updateById(join._id, mark));
  // Whoever has taken it over asks.
  if (!isOurs) return { state: "pending", notBefore: null };
  return answered(room, "unasked", platforms.requestJoin({ kind, invite }));
}

function look(room: TrackerRoom, { kind, invite }: LeasedJoin, platforms: Platforms): Promise<JoinStanding> {
  return answered(room, "pending", platforms.checkJoin({ kind, invite }));
}

/** What a platform answers; its refusals are answers too, and so is that nobody is there. */
async function answered(
  { now }: TrackerRoom,
  whenAbsent: "unasked" | "pending",
  answer: Promise<JoinStanding>,
): Promise<JoinStanding> {
  try {
    return await answer;
  } catch (error) {
    const reason = refusal(error);
    if (reason !== null) return { state: "refused", reason };
    if (isAbsence(error)) return { state: whenAbsent, notBefore: now() + retryAfterMs(error) };
    throw error;
  }
}
