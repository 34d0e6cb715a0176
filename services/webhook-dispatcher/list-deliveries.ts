import { invalid } from "../contracts/errors.ts";
import type { Delivery } from "../contracts/webhook.contract.ts";
import { failedAs, type StoredDelivery, type WebhookRoom } from "./room.ts";

interface Page {
  data: Delivery[];
  next_cursor: string | null;
  message: string;
}

/** Attempts, newest first. A cursor goes on after the last one of a page; new attempts do not shift it. */
export async function listDeliveries(
  { deliveries }: WebhookRoom,
  keyId: string,
  { status, cursor, limit }: { status?: Delivery["outcome"]; cursor?: string; limit: number },
): Promise<Page> {
  if (cursor !== undefined && !/^[0-9A-HJKMNP-TV-Z]{26}$/.test(cursor))
    throw invalid("cursor", "invalid", "Give a next_cursor of this list as cursor, or none.");
  const query = {
    keyId,
    ...(status === "succeeded" ? { outcome: status } : status && failedAs(status)),
    ...(cursor === undefined ? {} : { _id: { $lt: cursor } }),
  };
  const found = await deliveries.find({ query, sort: ["-_id"], limit: limit + 1 });
  const page = found.slice(0, limit);
  const next_cursor = found.length > limit ? (page.at(-1)?._id ?? null) : null;
  return { data: page.map(describe), next_cursor, message: "Deliveries listed." };
}

function describe({ _id, keyId: _keyId, failedAs: _failedAs, ...delivery }: StoredDelivery): Delivery {
  return { id: _id, ...delivery };
}
