import type { History } from "../../mixins/history/history.ts";
import type { SitePages } from "../../mixins/site-pages/site-pages.ts";
import { call } from "../contracts/action.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import { type HeldSource, heldSource } from "../contracts/held-source.contract.ts";
import type { Call } from "../contracts/service.ts";
import type { SourceKind } from "../contracts/source.ts";
import type { HistoryReader } from "./history-reader.ts";

/** What the operations of this service work with. */
export interface HistoryContext {
  history: History;
  sitePages: Pick<SitePages, "list" | "counts">;
  reader: HistoryReader;
  /** Milliseconds since the epoch. */
  now(): number;
  minIntervalMs: number;
  /** Fires when the service stops. */
  closing: AbortSignal;
}

/** A source as the calling key holds it; what it may read of its past begins at `readsFrom`. */
export interface Reading {
  context: HistoryContext;
  keyId: string;
  held: HeldSource;
}

/** Opens a source for reading; 404 for one that the calling key does not track. */
export async function openSource(
  context: HistoryContext,
  id: string,
  { caller: { keyId }, ctx }: Pick<Call, "caller" | "ctx">,
): Promise<Reading> {
  const { held } = await call(ctx, heldSource, { keyId, id });
  return { context, keyId, held };
}

/** Opens the view of an address that a key tracks; null where it tracks none. */
export async function openAddress(
  context: HistoryContext,
  { keyId, ...address }: { keyId: string; kind: SourceKind; externalId: string },
  ctx: Call["ctx"],
): Promise<Reading | null> {
  try {
    const { held } = await call(ctx, heldSource, { keyId, ...address });
    return { context, keyId, held };
  } catch (error) {
    if (codeOf(error) === "not_found") return null;
    throw error;
  }
}

export function noSuchVersion(): Error {
  return fail("not_found", "This source has no such version, or it is no longer kept.");
}
