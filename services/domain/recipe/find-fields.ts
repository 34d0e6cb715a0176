import { findEntries } from "./find-entries.ts";
import { findObject } from "./find-object.ts";
import { findTexts } from "./find-texts.ts";
import { findValue, type Site } from "./find-value.ts";
import type { Field, Fields } from "./recipe.ts";
import type { Want } from "./want.ts";

/** The fields that could be found for these wants, in the sites given: one page, or samples of a list's entries. */
export function findFields(wants: Want[], sites: Site[]): Fields {
  return Object.fromEntries(
    wants.flatMap(want => {
      const field = findField(want, sites);
      return field ? [[want.name, field]] : [];
    }),
  );
}

function findField(want: Want, sites: Site[]): Field | undefined {
  const [first] = sites;
  if (!first) return undefined;
  if (want.kind === "object") return findObject(want, first);
  if (want.kind !== "array") return findValue(want, sites);
  return want.item?.kind === "object" ? findEntries(want, first) : findTexts(want, sites);
}
