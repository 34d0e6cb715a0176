import { repeatable } from "./action.ts";
import { ofKey, pageOf, pageWith } from "./paging.ts";
import { type Infer, list, named, nothing, nullableText, rule, text, time } from "./schema.ts";

/*
 * The audit log: the acts of people and keys as events of the administrator. An act is an operation that changes something.
 */

const role = rule({
  type: "enum",
  values: ["admin", "owner", "key", "nobody"],
  description:
    "The administrator, an owner who signed in, an API key, or nobody: a sign-in that was refused, or the link of a mail.",
});

const actor = named("AuditActor", {
  role,
  owner: {
    ...nullableText,
    description: "The owner, also that of a key; of a refused sign-in the one it named.",
  },
  key_id: { ...nullableText, description: "`id` of the key that was sent, or that a person acted as." },
  signed_in: { type: "boolean", description: "By a session, not by a key in a header." },
});
export type AuditActor = Infer<typeof actor>;

const data = named("AuditAct", {
  actor,
  operation: { ...text, description: "The `operationId` of the document." },
  path: { type: "record", value: text, description: "The parameters of the path." },
  fields: { ...list(text), description: "The names of the fields that were sent, without their values." },
  target: { ...nullableText, description: "`id` of what the answer is about, such as a key that was made." },
  status: { type: "number", integer: true, description: "The HTTP status of the answer." },
  code: { ...nullableText, description: "The code of a refusal." },
  request_id: { ...text, description: "As `x-request-id` of the answer." },
  client: { ...text, description: "The client's address; behind TRUSTED_PROXIES the one that they name." },
});
export type AuditAct = Infer<typeof data>;

const auditEvent = named("AuditEvent", {
  id: text,
  type: { ...text, description: "`audit.` and the operation." },
  timestamp: { ...time, description: "When it was answered." },
  data,
});
export type AuditEvent = Infer<typeof auditEvent>;

const moment = rule({ type: "string", min: 1, max: 40, optional: true });

/** Which acts are read. */
export const actFilters = {
  since: { ...moment, description: "Only acts since this time, ISO 8601." },
  until: { ...moment, description: "Only acts before this time, ISO 8601." },
  actor: {
    ...role,
    optional: true,
    description: "Only acts of the administrator, of owners, of keys or of nobody.",
  },
  owner: {
    type: "string",
    min: 1,
    max: 100,
    optional: true,
    description: "Only acts of this owner and its keys.",
  },
  key_id: ofKey,
  type: {
    type: "string",
    min: 1,
    max: 100,
    optional: true,
    description: "Only acts of this type or operation: `audit.createApiKey`, or `createApiKey`.",
  },
} as const;

/** Keeps an act. A second call with the same `id` changes nothing, so the answer of the first may be lost. */
export const keepAct = repeatable("keys.keepAct", {
  params: { id: { ...text, max: 64 }, timestamp: time, data: { ...data, strict: true } },
  result: nothing,
});

/** Acts, newest first. */
export const listActs = repeatable("keys.listActs", {
  params: { ...pageOf, ...actFilters },
  result: pageWith(auditEvent),
});

/** Acts, oldest first, for those who read all of them. Not published. */
export const readActs = repeatable("keys.readActs", {
  params: { ...pageOf, ...actFilters },
  result: pageWith(auditEvent),
});
