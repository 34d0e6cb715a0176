import type { Readable } from "node:stream";
import type { Context, ServiceSchema } from "moleculer";
import type { CallMeta } from "./caller.ts";
import type { Fields, Infer, InferFields, Rule } from "./schema.ts";

/** The rules of an operation's parameters, as the validator takes them. */
export type ParamsSchema = Readonly<Record<string, Rule | boolean>>;

/**
 * Whether a second call does no more than the first, so that it may be repeated when an answer was lost. `true`: the bus
 * repeats it. `by caller`: the caller does, because the call itself may have ended the node that served it.
 */
type Repeatable = true | "by caller";

/** An operation on the bus: its full name, the rules of its parameters and of its result. */
export interface Action<Params, Result> {
  /** Tells it from what the gateway answers in other ways (`services/api/routes/route.ts`). */
  readonly kind: "service";
  readonly name: string;
  readonly params: ParamsSchema;
  readonly result: Rule;
  readonly repeatable?: Repeatable;
  /** Carries the types only; never set. */
  readonly types?: { params: Params; result: Result };
}

/** What an operation takes, as its handler finds it: checked, with the defaults filled in. */
export type ParamsOf<A> = A extends Action<infer Params, infer _> ? Params : never;

/** What an operation answers. */
export type ResultOf<A> = A extends Action<infer _, infer Result> ? Result : never;

interface Ends<P extends Fields, R extends Rule> {
  readonly params: P;
  /** What it answers. The OpenAPI document and the types come from it; it is not checked at run time. */
  readonly result: R;
  /** Ignores parameters that `params` does not name, in place of refusing them. */
  readonly ignoreUnknown?: boolean;
}

/** Declares an operation. `name` is `<service>.<verb>`; this is the only place that spells it. */
export function action<const P extends Fields, const R extends Rule>(
  name: string,
  { params, result, ignoreUnknown = false }: Ends<P, R>,
): Action<InferFields<P>, Infer<R>> {
  return { kind: "service", name, params: { $$strict: !ignoreUnknown, ...params }, result };
}

/** Declares an operation that reads, or that changes nothing more when it is called once more. */
export function repeatable<const P extends Fields, const R extends Rule>(
  name: string,
  ends: Ends<P, R>,
  by: Repeatable = true,
): Action<InferFields<P>, Infer<R>> {
  return { ...action(name, ends), repeatable: by };
}

interface CallOptions {
  timeout?: number;
  meta?: CallMeta;
  /** The node to ask; by default any that can answer. When it has gone, another may answer, as for any call. */
  nodeID?: string;
  /**
   * Bytes that go with the call, in pieces; such a call is not repeated. The stream may stay open behind them, to say by an
   * error that nobody waits for the answer.
   */
  stream?: Readable;
}

interface Bus {
  call(name: string, params: unknown, options?: CallOptions): Promise<unknown>;
}

/** Calls an operation. In a handler pass `ctx`, so that meta and deadline follow; elsewhere the broker. */
export function call<Params, Result>(
  bus: Context<never, never> | Context | Bus,
  { name }: Action<Params, Result>,
  params: Params,
  options?: CallOptions,
): Promise<Result> {
  return (bus as Bus).call(name, params, options) as Promise<Result>;
}

type Handler<This, Params, Result> = (this: This, ctx: Context<Params, CallMeta>) => Promise<Result> | Result;

export interface ActionEntry {
  [verb: string]: {
    params: ParamsSchema;
    visibility: "published" | "public";
    repeatable?: Repeatable;
    handler: Handler<never, never, unknown>;
  };
}

/**
 * Binds a handler to its contract: parameters, result and `this` are typed, and the validator checks the parameters
 * before each call. `published` operations may have routes; `public` ones serve other services only.
 */
export function handle<This, Params, Result>(
  { name, params, repeatable }: Action<Params, Result>,
  visibility: "published" | "public",
  handler: Handler<This, Params, Result>,
): ActionEntry {
  const verb = name.slice(name.indexOf(".") + 1);
  const entry = { params, visibility, handler: handler as ActionEntry[string]["handler"] };
  return { [verb]: repeatable ? { ...entry, repeatable } : entry };
}

/** The `actions` of a service, from its bound handlers. */
export function actions(...entries: ActionEntry[]): ServiceSchema["actions"] {
  return Object.assign({}, ...entries) as ServiceSchema["actions"];
}
