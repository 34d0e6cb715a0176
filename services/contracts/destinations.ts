import { nats, postgresql, rabbitmq } from "./destination-servers.ts";
import type { Infer, Rule } from "./schema.ts";

/*
 * Where events go beside URLs and mail. Each type of destination has its rule here, and its folder in
 * `services/webhook-dispatcher/destinations`.
 */

/** Names of folders, one below the other. */
const folders = {
  type: "string",
  min: 1,
  max: 200,
  pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$",
  messages: { stringPattern: "must be names of letters, digits, `.`, `_` and `-`, with `/` between them" },
  optional: true,
} as const;

/** NDJSON files in a folder of the operator's. */
const folder = {
  type: "object",
  name: "FolderDestination",
  strict: true,
  props: {
    type: { type: "equal", value: "folder" },
    path: {
      ...folders,
      description:
        "A folder below that of the key, in the operator's `DESTINATION_FOLDER`. Left out: that of the key itself.",
    },
  },
} as const;

/** NDJSON objects in a bucket. */
const s3 = {
  type: "object",
  name: "S3Destination",
  strict: true,
  props: {
    type: { type: "equal", value: "s3" },
    bucket: {
      type: "string",
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$",
      messages: { stringPattern: "must be the name of a bucket, 3 to 63 letters, digits, `.`, `_` and `-`" },
      description: "The bucket.",
    },
    prefix: { ...folders, description: "A folder in the bucket. Left out: its root." },
    region: {
      type: "string",
      pattern: "^[a-z0-9-]{1,40}$",
      messages: { stringPattern: "must be the name of a region, such as `eu-central-1`" },
      default: "us-east-1",
      description: "Its region; servers other than Amazon's mostly take any.",
    },
    endpoint: {
      type: "string",
      min: 1,
      max: 2048,
      optional: true,
      description:
        "The server, such as `https://s3.example.com`. Left out: Amazon's of the region. An address that begins with the bucket's name is that of the bucket.",
    },
    access_key_id: { type: "string", min: 1, max: 256, description: "May put objects in the bucket." },
    secret_access_key: { type: "string", min: 1, max: 1024, description: "Signs requests; it is not sent." },
  },
} as const;

/** The rule of each type of destination. */
export const destinationRules = { folder, s3, postgresql, nats, rabbitmq } as const satisfies Record<
  string,
  Rule
>;

export type DestinationType = keyof typeof destinationRules;
/** What a destination of a type is said to be. */
export type DestinationOptionsOf<Type extends DestinationType> = Infer<(typeof destinationRules)[Type]>;
export type DestinationOptions = { [Type in DestinationType]: DestinationOptionsOf<Type> }[DestinationType];

export const destinationTypes = Object.keys(destinationRules) as DestinationType[];
