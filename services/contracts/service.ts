import type { Context, Service, ServiceSchema } from "moleculer";
import { type Action, type ActionEntry, handle } from "./action.ts";
import { type Caller, type CallMeta, callerOf, ownerOf } from "./caller.ts";

/** A schema whose hooks, events and methods see `This`. */
type SchemaOf<This> = ServiceSchema<Record<string, unknown>, unknown, unknown, This>;

/**
 * A Moleculer service. `Added` is what its mixins and its own hooks put on `this`; without it Moleculer's types would let
 * `this` have any member.
 */
export function service<Added>(schema: SchemaOf<Service & Added>): ServiceSchema {
  return schema as unknown as ServiceSchema;
}

/** A capability of services. `Added` is what it puts on their `this`. */
export function mixin<Added>(schema: Partial<SchemaOf<Service & Added>>): Partial<ServiceSchema> {
  return schema as unknown as Partial<ServiceSchema>;
}

/** What an operation can know of the call that it answers, beside the parameters. */
export interface Call {
  /** Who the call is made for. Reading it throws `unauthorized` when the call names no caller. */
  readonly caller: Caller;
  /** The owner who signed in. Reading it throws `unauthorized` when the call names none. */
  readonly owner: string;
  /** For calls of other services (so that meta and deadline follow), and for status and headers of the answer. */
  readonly ctx: Context<unknown, CallMeta>;
}

type Operation<Work, Params, Result> = (
  context: Work,
  params: Params,
  call: Call,
) => Promise<Result> | Result;

interface Operations<Work> {
  /** The gateway may call it, when a route names it; so may other services. */
  published<Params, Result>(
    contract: Action<Params, Result>,
    operation: Operation<Work, Params, Result>,
  ): ActionEntry;
  /** Other services may call it, the gateway may not. */
  internal<Params, Result>(
    contract: Action<Params, Result>,
    operation: Operation<Work, Params, Result>,
  ): ActionEntry;
}

/** Binds contracts to plain functions `(context, params, call)`. `contextOf` gives what a running service works with. */
export function operations<This, Work>(contextOf: (service: This) => Work): Operations<Work> {
  const bind =
    (visibility: "published" | "public") =>
    <Params, Result>(contract: Action<Params, Result>, operation: Operation<Work, Params, Result>) =>
      handle(contract, visibility, function (this: This, ctx: Context<Params, CallMeta>) {
        return operation(contextOf(this), ctx.params, new CallOf(ctx));
      });
  return { published: bind("published"), internal: bind("public") };
}

class CallOf implements Call {
  readonly ctx: Context<unknown, CallMeta>;

  constructor(ctx: Context<unknown, CallMeta>) {
    this.ctx = ctx;
  }

  get caller(): Caller {
    return callerOf(this.ctx);
  }

  get owner(): string {
    return ownerOf(this.ctx);
  }
}
