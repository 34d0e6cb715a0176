import type { Rule } from "./schema.ts";

/*
 * Destinations that are servers with a protocol of their own.
 */

const host = {
  type: "string",
  min: 1,
  max: 253,
  pattern: "^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$|^[0-9a-fA-F:]*:[0-9a-fA-F:.]*$",
  messages: { stringPattern: "must be a name or an address, without a port" },
  description: "The name or address of the server.",
} as const;

const port = { type: "number", integer: true, min: 1, max: 65_535 } as const;

const tls = {
  type: "boolean",
  default: true,
  description: "False: without encryption, where the operator allows that with `WEBHOOK_ALLOW_HTTP`.",
} as const;

const ca = {
  type: "string",
  min: 1,
  max: 16_384,
  pattern: "-----BEGIN CERTIFICATE-----",
  messages: { stringPattern: "must be certificates in PEM" },
  optional: true,
  description:
    "The certificates, in PEM, by which the server's is checked. Left out: those that browsers trust.",
} as const;

const user = { type: "string", min: 1, max: 256, description: "Who signs in." } as const;
const password = { type: "string", min: 1, max: 1024, description: "The user's password." } as const;

const identifier = {
  type: "string",
  max: 63,
  pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
  messages: { stringPattern: "must be letters, digits and `_`, and not begin with a digit" },
} as const;

/** Rows of a table. */
export const postgresql = {
  type: "object",
  name: "PostgresqlDestination",
  strict: true,
  props: {
    type: { type: "equal", value: "postgresql" },
    host,
    port: { ...port, default: 5432, description: "Its port; by default 5432." },
    database: { type: "string", min: 1, max: 63, description: "The database." },
    user,
    password,
    tls,
    ca,
    schema: { ...identifier, optional: true, description: "The schema of the table. Left out: the user's." },
    table: {
      ...identifier,
      default: "magpie_events",
      description: "The table, which is made unless it is there; by default `magpie_events`.",
    },
  },
} as const satisfies Rule;

/** Messages of a stream of NATS JetStream. */
export const nats = {
  type: "object",
  name: "NatsDestination",
  strict: true,
  props: {
    type: { type: "equal", value: "nats" },
    host,
    port: { ...port, default: 4222, description: "Its port; by default 4222." },
    subject: {
      type: "string",
      max: 255,
      pattern: "^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$",
      messages: { stringPattern: "must be names of letters, digits, `_` and `-`, with dots between them" },
      description: "The subject, which a stream takes.",
    },
    tls,
    ca,
    user: { ...user, optional: true },
    password: { ...password, optional: true },
    token: { type: "string", min: 1, max: 1024, optional: true, description: "In place of a user." },
    credentials: {
      type: "string",
      min: 1,
      max: 8192,
      optional: true,
      description: "In place of a user: the text of a `.creds` file, with a JWT and its key.",
    },
  },
} as const satisfies Rule;

/** Messages of an exchange. */
export const rabbitmq = {
  type: "object",
  name: "RabbitmqDestination",
  strict: true,
  props: {
    type: { type: "equal", value: "rabbitmq" },
    host,
    port: {
      ...port,
      default: 5671,
      description: "Its port; by default 5671. Without TLS it is mostly 5672.",
    },
    vhost: {
      type: "string",
      min: 1,
      max: 255,
      default: "/",
      description: "The virtual host; by default `/`.",
    },
    user,
    password,
    tls,
    ca,
    exchange: {
      type: "string",
      empty: true,
      max: 127,
      default: "",
      description: "The exchange. Left out: the default one, whose routing keys are names of queues.",
    },
    routing_key: {
      type: "string",
      min: 1,
      max: 200,
      default: "{type}",
      description: "The routing key; `{type}`, the default, stands for the type of the event.",
    },
  },
} as const satisfies Rule;
