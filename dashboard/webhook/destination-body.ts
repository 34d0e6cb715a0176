/* Turns the fields of a destination into what the API takes, and back. */
import type { DestinationOptions, DestinationType } from "../../services/contracts/destinations.ts";
import { type DestinationField, fieldsOf } from "./destinations.ts";

/** What the API shows in place of a secret. */
export const hidden = "•••";

/** The name of the field that has an option: errors of the API name it so. */
export function nameOf(option: string): string {
  return `destination.${option}`;
}

/** Makes the field `destination`. Options that are left empty are left out. Throws an error with a sentence for half a secret. */
export function destinationOf(
  type: DestinationType,
  values: Record<string, string>,
  before: DestinationOptions | null | undefined,
): Record<string, unknown> {
  const options: Record<string, unknown> = { type };
  for (const [name, field] of fieldsOf(type)) {
    const written = values[nameOf(name)] ?? "";
    const value = field.isSecret ? secretOf(field, written, writtenOf(before, name)) : written.trim();
    if (value !== "") options[name] = optionOf(field, value);
  }
  return options;
}

function optionOf({ kind }: DestinationField, text: string): unknown {
  if (kind === "number") return Number(text);
  return kind === "switch" ? text === "true" : text;
}

/** Somebody may have typed behind what is shown for a stored secret. */
function secretOf({ label }: DestinationField, written: string, before: string): string {
  if (before === hidden && written !== hidden && written.includes("•"))
    throw new Error(`${label}: type all of it again, for what is stored is not shown.`);
  return written;
}

/** An option of a destination as a field has it. */
export function writtenOf(destination: DestinationOptions | null | undefined, name: string): string {
  const options: Record<string, unknown> = { ...destination };
  return String(options[name] ?? "");
}
