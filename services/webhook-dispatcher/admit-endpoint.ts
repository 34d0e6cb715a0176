import type { Egress } from "../../mixins/egress/egress.ts";
import { codeOf, fail } from "../contracts/errors.ts";
import type { WebhookRoom } from "./room.ts";

/** The address of an endpoint as it is stored; throws `invalid_url` or `url_not_allowed`, which name the field. */
export function admitEndpoint(
  { egress, allowHttp }: Pick<WebhookRoom, "egress" | "allowHttp">,
  text: string,
  field = "url",
): string {
  const url = admit(egress, text, field);
  if (url.protocol !== "https:" && !allowHttp)
    throw refusal(field, "url_not_allowed", "Give an https URL: webhooks carry what you track.");
  return url.href;
}

function admit(egress: Pick<Egress, "admit">, text: string, field: string): URL {
  try {
    return egress.admit(text);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "invalid_url" && code !== "url_not_allowed") throw error;
    throw refusal(field, code, (error as Error).message, error);
  }
}

function refusal(
  field: string,
  code: "invalid_url" | "url_not_allowed",
  message: string,
  cause?: unknown,
): Error {
  return fail(code, message, { details: [{ field, code, message }] }, cause);
}
