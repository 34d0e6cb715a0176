import type { Context } from "moleculer";
import type { QuotaUse } from "../domain/quota/quotas.ts";
import { contentUses } from "./content-uses.ts";
import { fail } from "./errors.ts";
import { keyScopes } from "./key-scopes.ts";
import { type Infer, named, rule } from "./schema.ts";

const bound = (description: string) => ({ type: "number", integer: true, description }) as const;

/** The bounds of an API key. */
export const keyLimits = named("KeyLimits", {
  requestsPerMinute: bound("Requests in any window of 60 s."),
  concurrentScrapes: bound("Scrapes at a time."),
  concurrentCrawls: bound("Crawls and batches at a time."),
  trackedSources: bound("Sources that the key may track."),
});
export type KeyLimits = Infer<typeof keyLimits>;

/** Bounds of a key that names none of its own. */
export const defaultLimits: KeyLimits = {
  requestsPerMinute: 600,
  concurrentScrapes: 10,
  concurrentCrawls: 2,
  trackedSources: 1000,
};

/** The API key that a request was authenticated with. */
export const caller = rule({
  type: "object",
  props: {
    keyId: { type: "string" },
    owner: { type: "string" },
    limits: keyLimits,
    /** Without them the key may do everything. */
    scopes: { type: "array", optional: true, items: { type: "enum", values: keyScopes } },
    /** From then on the key is refused. */
    expiresAt: { type: "string", optional: true },
    /** What it wants content for. */
    contentUses: { ...contentUses, optional: true },
  },
});

/** Null when there is no such key. */
export const knownCaller = rule({ ...caller, nullable: true });

/** Who a request is made for: an authenticated API key. */
export type Caller = Readonly<Infer<typeof caller>>;

/** What travels beside the parameters of a call. The gateway sets it after authentication; services read it. */
export interface CallMeta {
  readonly caller?: Caller;
  /** An owner who signed in with its password. Only routes for owners have it. */
  readonly owner?: string;
  /** The client did not send the caller's key: somebody who signed in acts as it, and must not read key values. */
  readonly acting?: boolean;
  /** The header `Idempotency-Key`, of routes that honour it. */
  readonly idempotencyKey?: string;
  /** The request's header of that name: the client's place in its trace (W3C Trace Context). */
  readonly traceparent?: string;
  /** The quotas that the request was charged to, as they are after it. The answer shows what is left. */
  $quotas?: readonly QuotaUse[];
  /** HTTP status of the answer; by default the route's. */
  $statusCode?: number;
  $responseType?: string;
  /** Headers of the answer, names in lower case. The gateway sends only those that the route documents. */
  $responseHeaders?: Record<string, string>;
}

/** The caller of an operation. Throws `unauthorized` when the call names none. */
export function callerOf({ meta: { caller } }: Context<unknown, CallMeta>): Caller {
  if (!caller) throw fail("unauthorized", "This operation needs an API key.");
  return caller;
}

/** The owner who signed in. Throws `unauthorized` when the call names none. */
export function ownerOf({ meta: { owner } }: Context<unknown, CallMeta>): string {
  if (owner === undefined) throw fail("unauthorized", "This operation needs an owner who signed in.");
  return owner;
}
