import type { changesOfEndpoint } from "../../contracts/endpoint-options.ts";
import { invalid } from "../../contracts/errors.ts";
import type { InferFields } from "../../contracts/schema.ts";
import { formatProblem } from "../../domain/delivery/formats/formats.ts";
import { templateProblem } from "../../domain/delivery/formats/template.ts";
import { isMailUrl } from "../../domain/delivery/mail/address.ts";
import type { Rate } from "../../domain/delivery/token-bucket.ts";
import { present } from "../../domain/json/fields.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { certificateFields } from "./client-certificate.ts";
import { destinationFields, refuseDestinationMisfit } from "./destination-fields.ts";
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
    | "meaningful"
    | "filter"
    | "filterProblem"
    | "format"
    | "template"
    | "transform"
    | "metadata"
    | "digest"
    | "asymmetric"
    | "timeoutMs"
    | "rate"
    | "fallback"
    | "destination"
    | "sealedDestination"
    | "headerNames"
    | "sealedHeaders"
    | "clientCertificate"
    | "sealedCertificate"
  >
>;

type Sealing = Pick<Vault, "sealHeaders" | "sealDestination" | "unsealDestination">;

/** The fields to store, with the headers encrypted for this webhook; undefined for those that were not named. */
export function wantedFields(
  vault: Sealing,
  webhookId: string,
  wanted: Omit<Wanted, "url">,
  known?: StoredEndpoint,
): EndpointFields {
  const { name, ordering, batch, event_types, sources, tags, meaningful, format, template, digest } = wanted;
  const { asymmetric, timeout_ms: timeoutMs, filter: predicate, transform } = wanted;
  const problem = template ? templateProblem(template) : undefined;
  if (problem !== undefined) throw invalid("template", "malformed", `\`template\`: ${problem}`);
  const filter = { event_types, sources, tags, meaningful, filter: predicate };
  const plain = {
    name,
    ordering,
    batch,
    ...filter,
    format,
    template,
    digest,
    asymmetric,
    timeoutMs,
    transform,
    rate: rateOf(wanted.rate),
    fallback: wanted.fallback,
  };
  return {
    ...plain,
    ...(predicate !== undefined && { filterProblem: null }),
    ...metadataOf(wanted.metadata),
    ...headersOf(vault, webhookId, wanted.headers),
    ...certificateFields(vault, webhookId, wanted.client_certificate),
    ...destinationFields(vault, webhookId, wanted.destination, known),
  } as EndpointFields;
}

/** By default as much may come at once as in a second. */
function rateOf(rate: Wanted["rate"]): Rate | null | undefined {
  if (!rate) return rate;
  const { per_second, burst = null } = rate;
  return { per_second, burst: burst ?? Math.max(Math.ceil(per_second), 1) };
}

/** The fields of a new endpoint. Throws a 400 for what does not fit together. */
export function checkedFields(
  vault: Sealing,
  webhookId: string,
  { url, ...wanted }: Omit<Wanted, "url"> & { url: string },
): EndpointFields {
  const fields = present(wantedFields(vault, webhookId, wanted));
  refuseMisfit({ ...fields, url }, wanted);
  return fields;
}

/** Throws a 400 where the receiver of this format cannot be at this address, or a template has no use. */
export function refuseMisfit(
  endpoint: EndpointFields & Pick<StoredEndpoint, "url">,
  { template = null }: Pick<Wanted, "template">,
): void {
  const { format = "standard", url, digest } = endpoint;
  if (endpoint.transform && (format !== "standard" || isMailUrl(url) || endpoint.destination))
    throw invalid(
      "transform",
      "malformed",
      "`transform` is for the format `standard` and HTTPS endpoints: it makes the body itself.",
    );
  if (endpoint.destination) {
    refuseDestinationMisfit(endpoint);
    return;
  }
  if (isMailUrl(url)) {
    refuseMailMisfit(endpoint);
    return;
  }
  if (endpoint.clientCertificate && new URL(url).protocol !== "https:")
    throw invalid("client_certificate", "not_applicable", "A client certificate is for https: addresses.");
  if (digest)
    throw invalid(
      "digest",
      "malformed",
      "`digest` is for mailto: addresses. `batch` joins events for others.",
    );
  if ((format === "firecrawl" || format === "cloudevents-binary") && endpoint.batch)
    throw invalid(
      "batch",
      "malformed",
      `\`batch\` is for other formats: \`${format}\` has one event in a request.`,
    );
  if (format !== "firecrawl" && endpoint.metadata)
    throw invalid("metadata", "malformed", "`metadata` is for the format `firecrawl`.");
  const misfit = formatProblem(format, template, new URL(url));
  if (misfit) throw invalid(misfit.field, "malformed", `\`${misfit.field}\` ${misfit.problem}`);
}

const longestMetadata = 4096;

function metadataOf(metadata: Record<string, unknown> | null | undefined): Pick<EndpointFields, "metadata"> {
  if (metadata === undefined) return {};
  const json = metadata === null ? null : JSON.stringify(metadata);
  if (json !== null && Buffer.byteLength(json) > longestMetadata)
    throw invalid("metadata", "too_long", "`metadata` has 4 KB at most, as JSON.");
  return { metadata: json };
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

/** Throws a 400 for options that a mail has no place for. */
function refuseMailMisfit({
  format = "standard",
  digest,
  batch,
  headerNames = [],
  clientCertificate,
  fallback,
}: EndpointFields): void {
  if (fallback) throw invalid("fallback", "not_applicable", "A fallback is for endpoints with a URL.");
  if (clientCertificate)
    throw invalid("client_certificate", "not_applicable", "A client certificate is for https: addresses.");
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
