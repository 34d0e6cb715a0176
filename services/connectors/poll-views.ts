import type { JobVault } from "../contracts/clients/job-vault.ts";
import { unsealedSecrets } from "../contracts/clients/watch-secrets.ts";
import type { DueView, PollResult } from "../contracts/connectors.contract.ts";
import { codeOf } from "../contracts/errors.ts";
import type { Secrets, View } from "../contracts/watch.contract.ts";
import { type ConnectorTools, failedPoll, type PolledConnector, type PolledSource } from "./connector.ts";
import { askingOnce } from "./tools.ts";

/**
 * Polls the views of one source with one look at it. A view that breaks is a failed poll of that view alone; when all of
 * them break, the first reason is thrown.
 */
export async function pollViews(
  connector: PolledConnector,
  externalId: string,
  views: DueView[],
  tools: ConnectorTools,
): Promise<PollResult[]> {
  const sources = views.map(each => sourceOf(externalId, each));
  if (connector.pollTogether) return connector.pollTogether(sources, tools);
  const once = askingOnce(tools);
  const polled = await Promise.allSettled(sources.map(source => connector.poll(source, once)));
  const [first] = polled;
  if (first?.status === "rejected" && polled.every(({ status }) => status === "rejected")) throw first.reason;
  return polled.map((each, at) => {
    if (each.status === "fulfilled") return each.value;
    if (codeOf(each.reason) === "overloaded") throw each.reason;
    const { state = {}, failures = 0 } = views[at] ?? {};
    return failedPoll({ externalId, state, failures }, tools, "The source could not be read.");
  });
}

/** The default view is none. */
function sourceOf(externalId: string, { view, ...due }: DueView): PolledSource {
  const isDefault = Object.keys(view).length === 0;
  return { externalId, ...due, ...(!isDefault && { view }) };
}

/** The headers and cookies of a view, for the site of an address; undefined without any. */
export async function secretsOf(
  vault: JobVault,
  view: View,
  address: string,
): Promise<(Secrets & { origin: string }) | undefined> {
  if (!view.sealed) return undefined;
  const { headers, cookies } = await unsealedSecrets(vault, view);
  const origin = URL.parse(address.trim())?.origin ?? "";
  return { origin, ...(headers && { headers }), ...(cookies && { cookies }) };
}
