import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Store } from "../../../../mixins/store/store.ts";
import type { SessionPlace } from "./session.ts";

/** `_id` is `telegram`. */
export interface StoredSession {
  _id: string;
  sealed: string;
}

export const sessionsCollection = "social_sessions";

const id = "telegram";

/** In a file of this process (mode 0600). */
export function inFile(path: string): SessionPlace {
  return {
    read: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
    write: sealed => replace(path, sealed),
  };
}

/** Where every process of a cluster finds it. */
export function inStore(sessions: Store<StoredSession>): SessionPlace {
  return {
    read: async () => (await sessions.findById(id))?.sealed ?? null,
    async write(sealed) {
      await sessions.upsert(id, { $set: { sealed } });
    },
  };
}

/** A draft takes the old file's place when it is whole and on disk. */
async function replace(path: string, sealed: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(sealed);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
