import type { IncomingMessage } from "node:http";
import type { Context, ServiceBroker } from "moleculer";
import type { BotIdentity } from "../../../mixins/config/config.ts";
import type { Limiter } from "../../../mixins/coordination/limiter/limiter.ts";
import type { Action, ParamsSchema } from "../../contracts/action.ts";
import type { CallMeta } from "../../contracts/caller.ts";
import type { ErrorCode, PublicError } from "../../contracts/errors.ts";
import type { KeyScope } from "../../contracts/key-scopes.ts";
import type { Rule } from "../../contracts/schema.ts";
import type { AllowList } from "../../domain/url/address-policy.ts";
import type { Admission, Auth } from "../http/admission.ts";
import type { AuthContext } from "../http/auth.ts";
import type { GuessLimiter } from "../http/guess-limiter.ts";

import type { Tool } from "../mcp/tools.ts";

import type { Upload } from "../request/uploads.ts";
import type { SignIn } from "../session/sign-in.ts";
import type { EventReading } from "../streams/read-events.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Json = Record<string, unknown>;

/** A documented answer: JSON, or bytes of a media type. */
export interface ResponseDoc {
  description: string;
  /** What the answer holds, where that is not the result of the action. */
  schema?: Rule;
  /** The media type; missing for JSON. */
  type?: string;
  /** The other type of an answer that clients may have as a text as well. */
  also?: string;
  /** The media types of answers that are not JSON, by the value of a parameter. */
  forms?: { by: string; types: Record<string, string> };
  example?: unknown;
  /** Headers that the action may set through `meta.$responseHeaders`, each with its description. */
  headers?: Record<string, string>;
}

/** An operation of a service; its types matter to the services, not to the table. */
export type ServiceAction = Pick<Action<unknown, unknown>, "kind" | "name" | "params" | "result">;

/** What the gateway's own answers work with. */
export interface AnswerContext {
  /** The gateway's name on the bus. */
  name: string;
  broker: ServiceBroker;
  routeTable: Route[];
  /** The OpenAPI document, as text. */
  document: string;
  /** Whether this node has a port for health checks and metrics beside the gateway's. */
  hasHealthPort: boolean;
  limiter: Pick<Limiter, "peek" | "consume">;
  /** Callers by the ids of their keys, and the clock by which keys end. */
  keyById: AuthContext["keyById"];
  now: AuthContext["now"];
  /** Counts addresses of no feed, by client. */
  feedGuesses: GuessLimiter;
  /** The address that the operator gave the gateway, and the proxies in front of it. */
  publicUrl: string | undefined;
  /** The keys that sign requests to sites; undefined: none is signed. */
  botIdentity: BotIdentity | undefined;
  trustedProxies: Pick<AllowList, "hasAddress">;
  /** Undefined where the dashboard is off, so nobody can sign in. */
  signIn: SignIn | undefined;
  /** How long results can be read after their end. */
  resultRetentionMs: number;
  /** The logs of events, once the gateway has started. */
  streams: { readonly context: EventReading };
}

/** What an answer of the gateway's own may read of its request. */
export type OwnRequest = Pick<IncomingMessage, "headers" | "socket" | "method"> & {
  requestId: string;
  /** Goes with calls of services, so that their logs name this request. */
  $ctx?: Context<unknown, CallMeta>;
  /** Who it is made for; undefined on routes for everybody. */
  admission?: Admission;
  /** The file that came with it, and what is called when the request has ended. */
  upload?: Upload | undefined;
  endUpload?: (() => void) | undefined;
};

/** What the gateway answers by itself, without a service behind it. */
export interface OwnAnswer {
  kind: "own";
  params: ParamsSchema;
  result?: Rule;
  /** `gone` fires when the client leaves before it has its answer. */
  answer(
    context: AnswerContext,
    params: Json,
    req: OwnRequest,
    gone: AbortSignal,
  ): OwnReply | Promise<OwnReply>;
}

/** The events of the calling key as server-sent events. The stream reads the query itself. */
export interface KeyEvents {
  kind: "key-events";
  params: ParamsSchema;
  result?: undefined;
  /** The refusal of a client that does not ask for `text/event-stream`; without it, that client gets the stream as well. */
  otherwise?: string;
}

/** The events of all keys as server-sent events. */
interface AllEvents {
  kind: "all-events";
  params: ParamsSchema;
  result?: undefined;
}

/** The Model Context Protocol over the body and the answer: it offers the rows that have a `tool` to language models. */
interface Protocol {
  kind: "mcp";
  params: ParamsSchema;
  result?: undefined;
}

export interface OwnReply {
  status?: number;
  type?: string;
  headers?: Record<string, string | string[]>;
  /** A string or bytes go out as they are, anything else as JSON. */
  body: unknown;
}

/** A body of any type: the action has its bytes as `body`, in base64, and the other parameters from headers or the query. */
export interface RawBody {
  /** The names of headers, by parameters. */
  headers: Record<string, string>;
  /** What the OpenAPI document says of the body, with an example. */
  media?: { type: string; example: string };
  /** The largest body, in bytes; by default 1 MB. */
  maxBytes?: number;
}

/**
 * A form with one file: the action has what is known of it as `file`, its options as `options`, and its bytes as the
 * stream of the call.
 */
export interface UploadBody {
  /** The largest file. */
  maxBytes: number;
}

/** A row of the table that both the server and the OpenAPI document are made from. */
export type Route = RouteRow & Admits;

/**
 * Whom a row serves. One that serves keys names the scopes of which any one admits a key that has scopes. Where it names
 * none, only a key without scopes is admitted.
 */
type Admits =
  | { auth: Extract<Auth, "key" | "either">; scopes: readonly KeyScope[] }
  | { auth: Exclude<Auth, "key" | "either">; scopes?: undefined };

interface RouteRow {
  /** What it does, in camelCase: the `operationId` of the document, and so the name of a method in generated clients. */
  name: string;
  method: Method;
  /** OpenAPI template, for example `/web/screenshot/{key}`; names are parameters of the action. */
  path: string;
  action: ServiceAction | OwnAnswer | KeyEvents | AllEvents | Protocol;
  /** Success; an action may choose another of `responses` through `meta.$statusCode`. */
  status: number;
  responses: Record<number, ResponseDoc>;
  /** Errors beyond those that every route of its kind can give. */
  errors?: ErrorCode[];
  tag: string;
  summary: string;
  description?: string;
  /** What no rule of a single field can say of the body, as keywords of JSON Schema; the service refuses it as well. */
  bodyRules?: Json;
  /** Takes its fields from the query as well: many proxies and clients drop the body of a DELETE. */
  alsoInQuery?: boolean;
  /** Other names of query parameters, each with the parameter's own. */
  aliases?: Record<string, string>;
  /** Request bodies for the document, by name; of a GET its parameters, and the first counts. */
  examples?: Record<string, Json>;
  /** Honours `Idempotency-Key`: the action finds it in `meta.idempotencyKey`. */
  idempotent?: boolean;
  /** How long the service may take; by default 15 s. */
  timeoutMs?: (params: Json) => number;
  /** Takes everything behind the path's last slash as its parameter, as it was sent, with the query. */
  takesRest?: boolean;
  /** Whether a link that was signed for the path is served as well: see `http/links.ts`. */
  linked?: boolean;
  /** Errors in the form of another program's API. */
  failure?: (error: PublicError, requestId: string) => { status: number; body: unknown };
  /** Reads a body that is not JSON. */
  raw?: RawBody;
  /** Reads a form with a file. */
  upload?: UploadBody;
  /** Lets pages of any origin read it. Only for what is public. */
  anyOrigin?: boolean;
  /** Served only where DASHBOARD is on. */
  dashboard?: boolean;
  /** Whether the route is left out of the OpenAPI document. */
  hidden?: boolean;
  /** How the route is offered to language models. */
  tool?: Tool;
}

/** The answer of a list, with one row as its example. */
export function page(description: string, example: Record<string, unknown>): Route["responses"] {
  return { 200: { description, example: { data: [example], next_cursor: null, message: "Listed." } } };
}
