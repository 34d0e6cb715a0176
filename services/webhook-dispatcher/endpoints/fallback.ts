import { invalid } from "../../contracts/errors.ts";
import type { WebhookContext } from "../context.ts";
import { endpointsOf, hasUrl } from "../webhooks.store.ts";
import type { Wanted } from "./endpoint-fields.ts";

/** Throws a 400 where the fallback of a request is no other endpoint of the key with a URL. `own` is the endpoint that asks. */
export async function admitFallback(
  { endpoints }: Pick<WebhookContext, "endpoints">,
  keyId: string,
  { fallback }: Pick<Wanted, "fallback">,
  own?: string,
): Promise<void> {
  if (!fallback) return;
  if (fallback === own) throw invalid("fallback", "contradiction", "A webhook cannot be its own fallback.");
  const found = (await endpointsOf(endpoints, [keyId])).find(({ webhookId }) => webhookId === fallback);
  if (!found || found.monitor !== undefined)
    throw invalid(
      "fallback",
      "malformed",
      "`fallback` is the `id` of another webhook of the key. There is none with this one.",
    );
  if (!hasUrl(found))
    throw invalid(
      "fallback",
      "not_applicable",
      "The fallback must have a URL: it cannot be a mail address or a destination.",
    );
}
