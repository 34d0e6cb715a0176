import type { changesOfEndpoint } from "../../contracts/endpoint-options.ts";
import { invalid } from "../../contracts/errors.ts";
import type { InferFields } from "../../contracts/schema.ts";
import { formatProblem } from "../../domain/delivery/formats/formats.ts";
import { templateProblem } from "../../domain/delivery/formats/template.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { checkHeaders } from "./own-headers.ts";
import type { Vault } from "./vault.ts";

/** What a request may say of an endpoint; undefined keeps what is there. */
export type Wanted = Partial<Omit<InferFields<typeof changesOfEndpoint>, "rotate_secret">>;

/** The stored fields that a request names. */
export type EndpointFields = Partial<
  Pick<
    StoredEndpoint,
    | "name"
    | "ordering"
    | "batch"
    | "event_types"
    | "sources"
    | "tags"
    | "format"
    | "template"
    | "headerNames"
    | "sealedHeaders"
  >
>;

/** The fields to store, with the headers encrypted for this webhook; undefined for those that were not named. */
export function wantedFields(
  vault: Pick<Vault, "sealHeaders">,
  webhookId: string,
  wanted: Omit<Wanted, "url">,
): EndpointFields {
  const { name, ordering, batch, event_types, sources, tags, format, template } = wanted;
  const problem = template ? templateProblem(template) : undefined;
  if (problem !== undefined) throw invalid("template", "malformed", `\`template\`: ${problem}`);
  const plain = { name, ordering, batch, event_types, sources, tags, format, template };
  return { ...plain, ...headersOf(vault, webhookId, wanted.headers) } as EndpointFields;
}

/** Throws a 400 where the receiver of this format cannot be at this address, or a template has no use. */
export function refuseMisfit(
  { format = "standard", url }: Pick<StoredEndpoint, "format" | "url">,
  { template = null }: Pick<Wanted, "template">,
): void {
  const misfit = formatProblem(format, template, new URL(url));
  if (misfit) throw invalid(misfit.field, "malformed", `\`${misfit.field}\` ${misfit.problem}`);
}

function headersOf(
  vault: Pick<Vault, "sealHeaders">,
  webhookId: string,
  headers: Record<string, string> | null | undefined,
): Pick<EndpointFields, "headerNames" | "sealedHeaders"> {
  if (headers === undefined) return {};
  const names = Object.keys(headers ?? {});
  if (!headers || names.length === 0) return { headerNames: [], sealedHeaders: null };
  checkHeaders(headers, "headers");
  return { headerNames: names, sealedHeaders: vault.sealHeaders(webhookId, headers) };
}
