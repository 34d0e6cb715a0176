import type { DestinationOptionsOf } from "../../../contracts/destinations.ts";
import type { DestinationKind } from "../destination-kind.ts";

/** A bucket of Amazon's or of another server that speaks its protocol. */
export const s3Kind: DestinationKind<"s3"> = {
  secrets: ["secret_access_key"],
  inFiles: true,
  urlOf: ({ bucket, prefix }) => `s3://${bucket}/${prefix ?? ""}`,
  serverOf: options => `${endpointOf(options)} ${options.access_key_id}`,
  admit: (options, { admitUrl }) => admitUrl(endpointOf(options), "destination.endpoint"),
};

/** The address of the server. */
export function endpointOf({ endpoint, region }: DestinationOptionsOf<"s3">): string {
  return endpoint ?? `https://s3.${region}.amazonaws.com`;
}
