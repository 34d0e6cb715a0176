import { postgresql } from "./destination-servers.ts";
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

/** The rule of each type of destination. */
export const destinationRules = { folder, postgresql } as const satisfies Record<string, Rule>;

export type DestinationType = keyof typeof destinationRules;
/** What a destination of a type is said to be. */
export type DestinationOptionsOf<Type extends DestinationType> = Infer<(typeof destinationRules)[Type]>;
export type DestinationOptions = { [Type in DestinationType]: DestinationOptionsOf<Type> }[DestinationType];

export const destinationTypes = Object.keys(destinationRules) as DestinationType[];
