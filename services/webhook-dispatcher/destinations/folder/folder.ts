import {
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { ulid } from "ulid";
import { type Destination, type OpenDestination, refusal, type WrittenBatch } from "../destination.ts";
import { linesOf } from "../lines.ts";

/** Files that are being written. What a kill has left there is removed after an hour. */
const unfinished = ".unfinished";
const unfinishedMs = 3_600_000;

/** Opens a folder below that of the key. */
export const openFolder: OpenDestination<"folder"> = async ({ path = "" }, { keyId }, { folder }) => {
  if (folder === undefined)
    throw refusal("The operator has not set DESTINATION_FOLDER.", { blame: "nobody" });
  const own = join(folder, keyId);
  await reported(() => removeUnfinished(join(own, unfinished)));
  return {
    write: (batch, signal) => reported(() => write(folder, own, path, batch, signal)),
    close: async () => undefined,
  } satisfies Destination;
};

/** Writes a file so that it is there as a whole or not at all, also after a loss of power. */
async function write(
  root: string,
  own: string,
  path: string,
  { events, path: name }: WrittenBatch,
  signal: AbortSignal,
): Promise<void> {
  const target = join(own, path, name);
  const temporary = join(own, unfinished, `${basename(name)}.${ulid()}`);
  for (const folder of [dirname(target), dirname(temporary)]) await makeFolder(root, folder);
  const file = await open(temporary, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o640);
  try {
    await fill(file, linesOf(events), signal);
    signal.throwIfAborted();
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

async function fill(file: FileHandle, text: string, signal: AbortSignal): Promise<void> {
  try {
    await file.writeFile(text, { signal });
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a folder, and refuses one that a symbolic link has moved out of the operator's. */
async function makeFolder(root: string, folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o750 });
  const [realRoot, real] = await Promise.all([realpath(root), realpath(folder)]);
  if (!real.startsWith(realRoot + sep)) throw refusal("The folder leads out of DESTINATION_FOLDER.");
  if (made !== undefined) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > unfinishedMs) await rm(file, { force: true });
  }
}

const problems: Record<string, string> = {
  ENOSPC: "There is no space left on the disk.",
  EDQUOT: "The quota of the disk is used up.",
  EROFS: "The disk can only be read.",
  EACCES: "The service may not write in this folder.",
  EPERM: "The service may not write in this folder.",
  ENOTDIR: "A file has the name of a folder of this path.",
  EISDIR: "A folder has the name of this file.",
  EIO: "The disk failed.",
  EMFILE: "The service has too many files open.",
};

/** Says in words what the disk says. It is the operator's, so no endpoint becomes FAILED by it. */
async function reported<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const problem = problems[code];
    if (problem === undefined) throw error;
    throw Object.assign(refusal(problem, { blame: "nobody" }), { cause: error });
  }
}
