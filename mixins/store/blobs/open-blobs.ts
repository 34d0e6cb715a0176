import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Blobs } from "./blobs.ts";
import { diskBlobs } from "./disk.blobs.ts";

export interface OpenBlobs {
  blobs: Blobs;
  close(): Promise<void>;
}

/** The blobs of this installation: in the S3 bucket that is set, else below the data folder, or in the cluster's MongoDB. */
export async function openBlobs({
  dataDir,
  cluster,
  s3,
}: Pick<Config, "dataDir" | "cluster" | "s3">): Promise<OpenBlobs> {
  // The embedded mode loads the client of no server that it does not use, which takes memory and time.
  if (s3) return (await import("./s3.blobs.ts")).openS3Blobs(s3);
  if (cluster) return (await import("./gridfs.blobs.ts")).openClusterBlobs(cluster);
  return { blobs: diskBlobs(join(dataDir, "blobs")), close: async () => undefined };
}
