import { fail } from "../../../contracts/errors.ts";
import type { DestinationKind } from "../destination-kind.ts";

/** A folder of the operator's. */
export const folderKind: DestinationKind<"folder"> = {
  secrets: [],
  inFiles: true,
  urlOf: ({ path }) => `file:///${path ?? ""}`,
  serverOf: () => "",
  admit: (_options, { folder }) => {
    if (folder !== undefined) return;
    const message =
      "This installation writes no files: its operator has to set `DESTINATION_FOLDER`. Give a `url` or another destination.";
    throw fail("validation_failed", message, {
      details: [{ field: "destination.type", code: "not_configured", message }],
    });
  },
};
