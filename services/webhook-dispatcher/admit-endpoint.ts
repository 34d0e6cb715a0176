import { fail } from "../contracts/errors.ts";
import type { WebhookRoom } from "./room.ts";

/** The address of an endpoint as it is stored; throws `invalid_url` or `url_not_allowed`. */
export function admitEndpoint(
  { egress, allowHttp }: Pick<WebhookRoom, "egress" | "allowHttp">,
  text: string,
): string {
  const url = egress.admit(text);
  if (url.protocol !== "https:" && !allowHttp)
    throw fail("url_not_allowed", "Give an https URL: webhooks carry what you track.");
  return url.href;
}
