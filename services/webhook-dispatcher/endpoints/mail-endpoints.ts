import { fail, invalid } from "../../contracts/errors.ts";
import { mailUrl, readMailUrl } from "../../domain/delivery/mail/address.ts";
import type { WebhookContext } from "../context.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";

/** The normalised `mailto:` URL of an endpoint. Throws errors that name `url`. */
export function admitMailUrl({ mail }: Pick<WebhookContext, "mail">, text: string): string {
  const read = readMailUrl(text);
  if ("problem" in read) throw refusal("invalid_url", `\`url\` ${read.problem}.`);
  if (!mail)
    throw refusal(
      "mail_unavailable",
      "This installation sends no mail: its operator has to set SMTP_URL, SMTP_FROM and PUBLIC_URL.",
    );
  return mailUrl(read.address);
}

function refusal(code: "invalid_url" | "mail_unavailable", message: string): Error {
  return fail(code, message, { details: [{ field: "url", code, message }] });
}

/** Throws a 400 for options that a mail has no place for. */
export function refuseMailMisfit({
  format = "standard",
  digest,
  batch,
  headerNames = [],
}: Pick<StoredEndpoint, "format" | "digest" | "batch" | "headerNames">): void {
  if (format !== "standard" && format !== "text")
    throw invalid(
      "format",
      "malformed",
      "`format` of a mailto: address is `standard`, with text and HTML, or `text`, plain text alone.",
    );
  if (headerNames.length > 0)
    throw invalid(
      "headers",
      "malformed",
      "`headers` are for HTTPS endpoints. Leave them out for a mailto: address.",
    );
  if (digest && batch)
    throw invalid("digest", "exactly_one", "Give `digest` or `batch`, not both: a digest holds all events.");
}
