/* The types of destinations, and the fields that the form of an endpoint has for each. A new type is one entry. */
import type { DestinationOptionsOf, DestinationType } from "../../services/contracts/destinations.ts";

/** An option of a destination, as a person fills it in. */
export interface DestinationField {
  label: string;
  hint?: string;
  /** By default a line of text. `lines`: text of several lines; `switch`: yes or no. */
  kind?: "number" | "lines" | "switch";
  /** Answers have `•••` in its place, which keeps what is stored when it is sent back. */
  isSecret?: true;
  isOptional?: true;
  /** What the API takes for an empty field. */
  preset?: string;
}

interface DestinationForm<Type extends DestinationType> {
  name: string;
  /** What holds events that are sent together. */
  unit: "file" | "write";
  fields: { [Name in Exclude<keyof DestinationOptionsOf<Type>, "type">]-?: DestinationField };
}

const host: DestinationField = { label: "Server", hint: "Its name or address, without a port." };
const user: DestinationField = { label: "User" };
const password: DestinationField = { label: "Password", isSecret: true };
const tls: DestinationField = {
  label: "Encrypted by TLS",
  hint: "Without it only where the operator allows that.",
  kind: "switch",
  preset: "true",
};
const ca: DestinationField = {
  label: "Certificates of your authority",
  hint: "In PEM. Empty: those that browsers trust.",
  kind: "lines",
  isOptional: true,
};

function port(preset: string, hint?: string): DestinationField {
  return { label: "Port", kind: "number", preset, ...(hint !== undefined && { hint }) };
}

export const destinations: { [Type in DestinationType]: DestinationForm<Type> } = {
  folder: {
    name: "Folder",
    unit: "file",
    fields: {
      path: {
        label: "Folder",
        hint: "Such as shop/orders, below that of the key on the operator's disk. Empty: that of the key.",
        isOptional: true,
      },
    },
  },
  s3: {
    name: "S3 bucket",
    unit: "file",
    fields: {
      bucket: { label: "Bucket" },
      prefix: { label: "Folder in the bucket", hint: "Empty: its root.", isOptional: true },
      region: { label: "Region", hint: "Servers other than Amazon's mostly take any.", preset: "us-east-1" },
      endpoint: {
        label: "Server",
        hint: "Such as https://s3.example.com. Empty: Amazon's of the region.",
        isOptional: true,
      },
      access_key_id: { label: "Access key ID", hint: "It has to be allowed s3:PutObject." },
      secret_access_key: { label: "Secret access key", isSecret: true },
    },
  },
  postgresql: {
    name: "PostgreSQL table",
    unit: "write",
    fields: {
      host,
      port: port("5432"),
      database: { label: "Database" },
      schema: { label: "Schema", hint: "Empty: the user's.", isOptional: true },
      table: { label: "Table", hint: "It is made unless it is there.", preset: "magpie_events" },
      user,
      password,
      tls,
      ca,
    },
  },
  nats: {
    name: "NATS JetStream",
    unit: "write",
    fields: {
      host,
      port: port("4222"),
      subject: { label: "Subject", hint: "Such as magpie.shop. A stream has to take it." },
      user: { ...user, hint: "Empty: by a token, by credentials, or nobody.", isOptional: true },
      password: { ...password, isOptional: true },
      token: { label: "Token", hint: "In place of a user.", isSecret: true, isOptional: true },
      credentials: {
        label: "Credentials",
        hint: "In place of a user: the text of a .creds file.",
        kind: "lines",
        isSecret: true,
        isOptional: true,
      },
      tls,
      ca,
    },
  },
  rabbitmq: {
    name: "RabbitMQ",
    unit: "write",
    fields: {
      host,
      port: port("5671", "Without TLS it is mostly 5672."),
      vhost: { label: "Virtual host", preset: "/" },
      exchange: {
        label: "Exchange",
        hint: "Empty: the default one, whose routing keys are names of queues.",
        preset: "",
      },
      routing_key: {
        label: "Routing key",
        hint: "{type} stands for the type of the event.",
        preset: "{type}",
      },
      user,
      password,
      tls,
      ca,
    },
  },
};

/** The fields of a type by their names, in the order of the form. */
export function fieldsOf(type: DestinationType): [name: string, field: DestinationField][] {
  return Object.entries(destinations[type].fields);
}

export function isDestinationType(text: string | undefined): text is DestinationType {
  return text !== undefined && Object.hasOwn(destinations, text);
}
