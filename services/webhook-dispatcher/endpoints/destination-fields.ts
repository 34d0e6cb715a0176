import {
  type DestinationOptions,
  type DestinationType,
  destinationRules,
} from "../../contracts/destinations.ts";
import { invalid } from "../../contracts/errors.ts";
import { hiddenValue } from "../../contracts/watch.contract.ts";
import { kindOf } from "../destinations/kinds.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import type { Vault } from "./vault.ts";

type StoredDestination = Pick<StoredEndpoint, "destination" | "sealedDestination">;

/** What is stored of a destination: its secrets are encrypted, and hidden ones are those that the endpoint has. */
export function destinationFields(
  vault: Pick<Vault, "sealDestination" | "unsealDestination">,
  webhookId: string,
  wanted: DestinationOptions | undefined,
  known?: StoredEndpoint,
): StoredDestination {
  if (!wanted) return {};
  const given = Object.entries(wanted).filter(([name]) => secretsOf(wanted).includes(name));
  const isHidden = given.some(([, value]) => value === hiddenValue);
  const former = isHidden && known ? formerSecrets(vault, known, wanted) : {};
  const secrets = Object.fromEntries(
    given.map(([name, value]) => [name, value === hiddenValue ? formerOf(former, name) : String(value)]),
  );
  const shown = Object.fromEntries(given.map(([name]) => [name, hiddenValue]));
  const sealedDestination = given.length > 0 ? vault.sealDestination(webhookId, secrets) : null;
  return { destination: { ...wanted, ...shown }, sealedDestination };
}

function secretsOf(destination: DestinationOptions): readonly string[] {
  return kindOf<DestinationType>(destination).secrets;
}

/** The secrets that the endpoint has, unless another server would get them. */
function formerSecrets(
  vault: Pick<Vault, "unsealDestination">,
  { webhookId, destination, sealedDestination }: StoredEndpoint,
  wanted: DestinationOptions,
): Record<string, string> {
  if (!destination || !sealedDestination || destination.type !== wanted.type) return {};
  const kind = kindOf<DestinationType>(wanted);
  return kind.serverOf(destination) === kind.serverOf(wanted)
    ? vault.unsealDestination(webhookId, sealedDestination)
    : {};
}

function formerOf(secrets: Record<string, string>, name: string): string {
  const value = secrets[name];
  if (value !== undefined) return value;
  const message = `\`destination.${name}\` is not kept for this server: give its value.`;
  throw invalid(`destination.${name}`, "unknown_value", message);
}

/** Throws a 400 for options that a destination has no place for. */
export function refuseDestinationMisfit({
  format = "standard",
  template,
  metadata,
  digest,
  headerNames = [],
  clientCertificate,
  fallback,
}: Partial<StoredEndpoint>): void {
  const misfit = [
    ["format", format !== "standard"],
    ["template", Boolean(template)],
    ["metadata", Boolean(metadata)],
    ["digest", Boolean(digest)],
    ["headers", headerNames.length > 0],
    ["client_certificate", Boolean(clientCertificate)],
    ["fallback", Boolean(fallback)],
  ] as const;
  for (const [field, isGiven] of misfit)
    if (isGiven) {
      const message = `\`${field}\` is for URLs: a destination gets each event as JSON, as \`standard\` has it.`;
      throw invalid(field, "not_applicable", message);
    }
}

/** The rules of a destination, by its type; of an unknown type those that refuse it. */
export function rulesFor(destination: unknown): object {
  const type = Object(destination).type;
  if (typeof type === "string" && Object.hasOwn(destinationRules, type))
    return destinationRules[type as DestinationType];
  return { type: "object", props: { type: { type: "enum", values: Object.keys(destinationRules) } } };
}
