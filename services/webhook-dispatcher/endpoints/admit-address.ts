import type { DestinationOptions } from "../../contracts/destinations.ts";
import { invalid, urlErrorAt } from "../../contracts/errors.ts";
import { isMailUrl } from "../../domain/delivery/mail/address.ts";
import type { WebhookContext } from "../context.ts";
import { kindOf } from "../destinations/kinds.ts";
import type { Wanted } from "./endpoint-fields.ts";
import { admitMailUrl } from "./mail-endpoints.ts";

/** Throws a 400 unless a request for a new endpoint says where events go. */
export function refuseNoAddress({ url, destination }: Wanted): void {
  if (url === undefined && !destination)
    throw invalid("url", "required", "`url` is required, or `destination` in its place.");
}

/** Throws a 400 for a URL beside a destination. */
export function refuseTwoAddresses({ url, destination }: { url?: unknown; destination?: unknown }): void {
  if (url !== undefined && destination)
    throw invalid("destination", "exactly_one", "Give `url` or `destination`, not both.");
}

/** Where the events of a changed endpoint go; undefined: where they went. */
export function addressOf(
  context: WebhookContext,
  { url, destination }: { url?: string | null; destination?: DestinationOptions },
): string | undefined {
  if (destination) return admitDestination(context, destination);
  return url === undefined || url === null ? undefined : admitUrl(context, url);
}

export function admitUrl(context: WebhookContext, text: string): string {
  return isMailUrl(text) ? admitMailUrl(context, text) : admitEndpoint(context, text);
}

/** The normalised URL of an endpoint. Throws `invalid_url` or `url_not_allowed`, which name the field. */
export function admitEndpoint(
  { egress, allowHttp }: Pick<WebhookContext, "egress" | "allowHttp">,
  text: string,
  field = "url",
): string {
  try {
    return egress.admit(text, { onlyHttps: !allowHttp }).href;
  } catch (error) {
    throw urlErrorAt(field, error);
  }
}

/** The URL by which answers show a destination. Throws a 400 that names the field where it cannot be used here. */
export function admitDestination(
  context: Pick<WebhookContext, "egress" | "allowHttp" | "folder">,
  destination: DestinationOptions,
): string {
  const kind = kindOf(destination);
  const admitUrl = (url: string, field: string) => void admitEndpoint(context, url, field);
  kind.admit(destination, { admitUrl, folder: context.folder });
  return kind.urlOf(destination);
}
