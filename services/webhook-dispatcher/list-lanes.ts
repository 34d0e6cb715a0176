import { findPage } from "../../mixins/store/find-page.ts";
import type { LaneStanding, Listed, Wanted } from "../contracts/inspection.contract.ts";
import type { Webhook } from "../contracts/webhook.contract.ts";
import { waitingIn } from "../domain/delivery/lane.ts";
import type { StoredLane, WebhookRoom } from "./room.ts";

/** The endpoints of all keys, and how far the deliveries to them have come. */
export async function listLanes(
  room: WebhookRoom,
  { status, ...wanted }: Wanted & { status?: Webhook["status"] },
): Promise<Listed<LaneStanding>> {
  const { page, next_cursor } = await findPage(room.lanes, {
    ...wanted,
    descending: true,
    ...(status && { query: { status } }),
  });
  const endpoints = await room.endpoints.find({ query: { _id: { $in: page.map(({ _id }) => _id) } } });
  const urls = new Map(endpoints.map(({ _id, url }) => [_id, url]));
  const data = await Promise.all(page.map(lane => standing(room, lane, urls.get(lane._id) ?? "")));
  return { data, next_cursor, message: "Lanes listed." };
}

async function standing({ log }: WebhookRoom, lane: StoredLane, url: string): Promise<LaneStanding> {
  const { _id, status, streak, probeAt, pausedUntil } = lane;
  const { latest } = await log.bounds(_id);
  const nextAt = Math.max(streak.length > 0 ? probeAt : 0, pausedUntil);
  return {
    key_id: _id,
    url,
    status,
    waiting: waitingIn(lane, latest),
    failures: streak.length,
    next_attempt_at: status === "FAILED" || nextAt === 0 ? null : new Date(nextAt).toISOString(),
  };
}
