import { rm } from "node:fs/promises";

/**
 * Removes a folder of a test with all that is in it. A process that was killed may leave children which write there for
 * a moment, as a browser does until it finds its pipe closed: so it tries again for up to 20 seconds.
 */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
