import type { DestinationKind } from "../destination-kind.ts";
import { admitServer, authorityOf, identityOf } from "../server.ts";

/** A table of PostgreSQL's. */
export const postgresqlKind: DestinationKind<"postgresql"> = {
  secrets: ["password"],
  inFiles: false,
  urlOf: options => {
    const table = [options.schema, options.table].filter(Boolean).join(".");
    return `postgresql://${authorityOf(options)}/${encodeURIComponent(options.database)}/${table}`;
  },
  serverOf: identityOf,
  admit: admitServer,
};
