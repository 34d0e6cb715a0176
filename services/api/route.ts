import type { Action, ParamsSchema } from "../contracts/action.ts";
import type { Caller } from "../contracts/caller.ts";
import type { ErrorCode } from "../contracts/errors.ts";
import type { Gateway, Request, Response } from "./gateway.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `either`: the admin key, which is unlimited, or an API key. */
export type Auth = "key" | "admin" | "either" | "none";

type Json = Record<string, unknown>;

/** One documented answer: JSON by a schema, or bytes of a media type. */
export interface ResponseDoc {
  description: string;
  schema?: Json;
  /** Anything but JSON. */
  type?: string;
  example?: unknown;
  /** Headers that the action may set through `meta.$responseHeaders`, with what they tell. */
  headers?: Record<string, string>;
}

/** An operation of a room; its types matter to the rooms, not to the table. */
export type RoomAction = Pick<Action<unknown, unknown>, "name" | "params">;

/** What the gateway answers by itself, with no room behind it. */
export interface OwnAnswer {
  params: ParamsSchema;
  answer(gateway: Gateway, params: Json, requestId: string): OwnReply | Promise<OwnReply>;
}

/** An answer of the gateway that goes on and on. It reads the query itself. */
export interface OwnStream {
  params: ParamsSchema;
  stream(gateway: Gateway, req: Request, res: Response, caller: Caller): Promise<void>;
}

export interface OwnReply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  /** A string or bytes go out as they are, anything else as JSON. */
  body: unknown;
}

/** One row of the table that both the server and the OpenAPI document are made from. */
export interface Route {
  method: Method;
  /** OpenAPI template, for example `/web/screenshot/{key}`; names are parameters of the action. */
  path: string;
  action: RoomAction | OwnAnswer | OwnStream;
  auth: Auth;
  /** Success; an action may choose another of `responses` through `meta.$statusCode`. */
  status: number;
  responses: Record<number, ResponseDoc>;
  /** Errors beyond those that every route of its kind can give. */
  errors?: ErrorCode[];
  tag: string;
  summary: string;
  description?: string;
  /** Other names of query parameters, each with the parameter's own. */
  aliases?: Record<string, string>;
  /** Request bodies for the document, by name; of a GET its parameters, and the first counts. */
  examples?: Record<string, Json>;
  /** The limit of the key that bounds how many of these run at a time. */
  concurrency?: "concurrentScrapes";
  /** Which requests take a slot of it; all unless told. */
  takesSlot?: (params: Json) => boolean;
  /** Honours `Idempotency-Key`: the action finds it in `meta.idempotencyKey`. */
  idempotent?: boolean;
  /** How long the room may take; 15 s unless told. */
  timeoutMs?: (params: Json) => number;
  /** Takes a body of any type: the action has its bytes as `body`, in base64, and these headers under these names. */
  raw?: { headers: Record<string, string> };
  /** Lets pages of any origin read it. Only for what is public. */
  anyOrigin?: boolean;
  /** Left out of the document. */
  hidden?: boolean;
}

/** Whether a room answers, rather than the gateway. */
export function isAction(target: Route["action"]): target is RoomAction {
  return "name" in target;
}
