import type { Context, ServiceSchema } from "moleculer";
import type { Caller } from "./caller.ts";

/** A fastest-validator schema; the OpenAPI document is generated from the same value. */
export type ParamsSchema = Record<string, unknown>;

/** What travels beside the parameters: set by the gateway after authentication, read by the rooms. */
export interface CallMeta {
  readonly caller?: Caller;
  /** The header `Idempotency-Key`, of routes that honour it. */
  readonly idempotencyKey?: string;
  /** HTTP status of the answer; the gateway's default is 200. */
  $statusCode?: number;
  $responseType?: string;
  /** Headers of the answer; only those that the route documents are sent. Names in lower case. */
  $responseHeaders?: Record<string, string>;
}

/** One operation on the bus: its full name, the schema that its parameters must meet, and the types of both ends. */
export interface Action<Params, Result> {
  readonly name: string;
  readonly params: ParamsSchema;
  /** A second call does what the first one did: it is made where the answer of the first was lost. */
  readonly repeatable?: true;
  /** Carries the types only; never set. */
  readonly types?: { params: Params; result: Result };
}

/** Declares an operation. `name` is `<room>.<verb>`; this is the only place where it is spelt. */
export function action<Params, Result>(name: string, params: ParamsSchema): Action<Params, Result> {
  return { name, params };
}

/** Declares an operation that reads, or that changes nothing more when it is called once more. */
export function repeatable<Params, Result>(name: string, params: ParamsSchema): Action<Params, Result> {
  return { name, params, repeatable: true };
}

interface CallOptions {
  timeout?: number;
  meta?: CallMeta;
  /** The node that is asked, any of those that can unless told; where it is gone, another may answer as for any call. */
  nodeID?: string;
}

interface Bus {
  call(name: string, params: unknown, options?: CallOptions): Promise<unknown>;
}

/** Calls an operation, from a handler (`ctx`, so that meta and deadline follow) or at a tree's root (`broker`). */
export function call<Params, Result>(
  bus: Context<never, never> | Context | Bus,
  { name }: Action<Params, Result>,
  params: Params,
  options?: CallOptions,
): Promise<Result> {
  return (bus as Bus).call(name, params, options) as Promise<Result>;
}

type Handler<This, Params, Result> = (this: This, ctx: Context<Params, CallMeta>) => Promise<Result> | Result;

interface ActionEntry {
  [verb: string]: {
    params: ParamsSchema;
    visibility: "published" | "public";
    repeatable?: true;
    handler: Handler<never, never, unknown>;
  };
}

/** Binds a handler to its contract: parameters, result and `this` are typed, and the schema is checked before each call. */
export function handle<This, Params, Result>(
  { name, params, repeatable }: Action<Params, Result>,
  visibility: "published" | "public",
  handler: Handler<This, Params, Result>,
): ActionEntry {
  const verb = name.slice(name.indexOf(".") + 1);
  const entry = { params, visibility, handler: handler as ActionEntry[string]["handler"] };
  return { [verb]: repeatable ? { ...entry, repeatable } : entry };
}

/** The `actions` of a room, from its bound handlers. */
export function actions(...entries: ActionEntry[]): ServiceSchema["actions"] {
  return Object.assign({}, ...entries) as ServiceSchema["actions"];
}
