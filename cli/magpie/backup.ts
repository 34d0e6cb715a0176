import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readdirSync } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { request as askHttp, type IncomingMessage } from "node:http";
import { request as askHttps } from "node:https";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { Command } from "commander";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { credentialsPath } from "../../mixins/config/credentials.ts";
import { readEnv, readSetting } from "../../mixins/config/env.ts";
import { makeFolder } from "../../mixins/config/make-folder.ts";
import { type BackupFile, filesIn, tarOf } from "../../mixins/store/backup/archive.ts";
import { moveIn, skipPositions, snapshotOf } from "../../mixins/store/backup/snapshot.ts";
import { draftsOf, isFolderInUse, lockForRestore } from "../../mixins/store/sqlite/folder-lock.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { examples, type Given } from "./options.ts";
import { note, Progress, printJson, printText } from "./screen.ts";
import { type Server, serverOf } from "./server.ts";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** The last file of a backup: what must be in it. */
interface Manifest {
  magpie: string;
  format: 1;
  /** ISO 8601: a time before the moment that the backup shows. */
  taken_at: string;
  /** The keys are names. */
  files: Record<string, { bytes: number; sha256: string }>;
}

const manifestName = "manifest.json";
/** What is the folder's alone and never leaves its machine by HTTP. */
const secrets = ["credentials.json", "telegram.session"];
/** What a backup may hold; nothing else is written to the folder. */
const known = /^(?:(?:magpie|webhooks)\.db|credentials\.json|telegram\.session|blobs(?:\/[\w-]+){2,3})$/;

/** `magpie backup <file>`. */
export const backup = new Command("backup")
  .description("Write everything that must last into one file, while the service runs.")
  .argument("<file>", "the backup; it holds secrets, so only you can read it")
  .addHelpText("after", examples(["magpie backup magpie-$(date +%F).tar.gz", "the service of this folder"]))
  .action(async (file: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const config = configFromEnv();
    refuseCluster(config);
    if (existsSync(file))
      throw new CommandError(`${file} is there already. Name another file.`, exitCodes.usage);
    const manifest: Manifest = { magpie: version, format: 1, taken_at: new Date().toISOString(), files: {} };
    const isHere = options.server === undefined && readSetting("MAGPIE_URL", readEnv()) === undefined;
    await writeWhole(file, tarOf(withManifest(noted(filesOf(config, options, isHere), manifest), manifest)));
    const files = Object.keys(manifest.files);
    if (options.json) printJson(manifest);
    else printText(`${file}: ${files.length} files, as they were at ${manifest.taken_at}.`);
    if (!files.includes("credentials.json"))
      note(
        "It holds no credentials.json. Keep MASTER_SECRET and the keys elsewhere: without them it is of no use.",
      );
  });

function refuseCluster({ cluster }: Config): void {
  if (cluster)
    throw new CommandError(
      "A cluster keeps everything in MongoDB, Redis and the bucket. Back them up with their own tools, in that order (docs/operations/backup-and-restore.md).",
      exitCodes.usage,
    );
}

/** The secrets from the folder, the rest from the process that has it. */
async function* filesOf(config: Config, options: Given, isHere: boolean): AsyncGenerator<BackupFile> {
  if (isHere) {
    if (!existsSync(config.dataDir))
      throw new CommandError(`DATA_DIR: there is no folder ${config.dataDir}.`, exitCodes.usage);
    for (const name of secrets) yield* secretIn(config, name);
  }
  if (isHere && !isFolderInUse(resolve(config.dataDir))) yield* snapshotOf(config.dataDir);
  else yield* filesIn(await ask(serverOf(options, "admin")));
}

async function* secretIn({ dataDir }: Config, name: string): AsyncGenerator<BackupFile> {
  const path = name === "credentials.json" ? credentialsPath({ dataDir }) : join(dataDir, name);
  if (!existsSync(path)) return;
  const bytes = await readFile(path);
  yield { name, size: bytes.length, content: Readable.from([bytes]) };
}

/** A large folder is copied before the first bytes come: no client with a timeout of its own is asked. */
async function ask({ url, key }: Server): Promise<IncomingMessage> {
  const send = url.startsWith("https:") ? askHttps : askHttp;
  const headers = { "x-admin-key": key, "content-type": "application/json" };
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    send(`${url}/internal/snapshot`, { method: "POST", headers }, resolve).on("error", reject).end("{}"),
  ).catch((cause: Error) => {
    throw new CommandError(`${url} cannot be reached (${cause.message}).`, exitCodes.unreachable, { cause });
  });
  if (answer.statusCode === 200) return answer;
  const said = (await buffer(answer)).toString();
  const code = [401, 403].includes(answer.statusCode ?? 0) ? exitCodes.refused : exitCodes.failed;
  const [, message = said] = /"message":"((?:[^"\\]|\\.)*)"/.exec(said) ?? [];
  throw new CommandError(`${answer.statusCode}: ${message}`, code);
}

/** Passes files on and notes what they hold. */
async function* noted(
  files: AsyncIterable<BackupFile>,
  { files: list }: Manifest,
): AsyncGenerator<BackupFile> {
  const progress = new Progress();
  let bytes = 0;
  try {
    for await (const file of files) {
      const hash = createHash("sha256");
      yield { ...file, content: hashed(file.content, hash) };
      list[file.name] = { bytes: file.size, sha256: hash.digest("hex") };
      bytes += file.size;
      if (process.stderr.isTTY) progress.show(`${file.name} … ${Math.ceil(bytes / 1024 ** 2)} MB`);
    }
  } finally {
    progress.clear();
  }
}

async function* hashed(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
}

async function* withManifest(
  files: AsyncIterable<BackupFile>,
  manifest: Manifest,
): AsyncGenerator<BackupFile> {
  yield* files;
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: manifestName, size: bytes.length, content: Readable.from([bytes]) };
}

/** The file is there as a whole and on the disk, or not at all. */
async function writeWhole(file: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createGzip({ level: 3 }),
      createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true }),
    );
    await rename(draft, file);
    await syncFolder(dirname(file));
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => "the first error says why");
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`No backup was made: ${(cause as Error).message}`, exitCodes.failed, { cause });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

/** `magpie restore <file>`. */
export const restore = new Command("restore")
  .description("Put a backup into the empty data folder of this machine. Start the service afterwards.")
  .argument("<file>", "what magpie backup has written")
  .addHelpText("after", examples(["DATA_DIR=./data magpie restore magpie-2026-03-14.tar.gz", "into ./data"]))
  .action(async (file: string, _: unknown, command: Command) => {
    const { json } = command.optsWithGlobals() as Given;
    const config = configFromEnv();
    refuseCluster(config);
    const unlock = lockForRestore(config.dataDir);
    try {
      const manifest = await restoreInto(config.dataDir, file);
      if (json) printJson(manifest);
      else
        printText(`${config.dataDir} is as it was at ${manifest.taken_at}. Start the service: magpie serve`);
    } finally {
      unlock();
    }
  });

const ofNoData = new Set(["magpie.lock", "magpie.lock-journal", "address", "tmp", "restore.tmp"]);

async function restoreInto(dataDir: string, file: string): Promise<Manifest> {
  const folder = draftsOf(dataDir).restore;
  const rest = readdirSync(dataDir).filter(name => !ofNoData.has(name));
  if (rest.length > 0)
    throw new CommandError(
      `DATA_DIR: ${dataDir} is not empty (${rest[0]}). Move what is there away, or set DATA_DIR to an empty folder.`,
      exitCodes.usage,
    );
  await rm(folder, { recursive: true, force: true });
  const manifest = await prepare(folder, file);
  // From here on what is there is not removed: a start refuses the folder until all of it has moved.
  moveIn(dataDir, readdirSync(folder));
  await syncFolder(dataDir);
  return manifest;
}

async function prepare(folder: string, file: string): Promise<Manifest> {
  try {
    makeFolder(folder, 0o700);
    const manifest = await unpack(file, folder);
    skipPositions(folder, Date.parse(manifest.taken_at), Date.now());
    return manifest;
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw new CommandError(`${file} cannot be restored: ${(cause as Error).message}`, exitCodes.failed, {
      cause,
    });
  }
}

/** Writes the files of a backup below a folder. Throws unless they are exactly those of its manifest. */
async function unpack(file: string, folder: string): Promise<Manifest> {
  const found: Manifest["files"] = {};
  let manifest: Manifest | undefined;
  const bytes = createGunzip();
  const reading = pipeline(createReadStream(file), bytes);
  reading.catch(() => "its reader gets the error");
  for await (const { name, size, content } of filesIn(bytes)) {
    if (name === manifestName) manifest = JSON.parse((await buffer(content)).toString()) as Manifest;
    else if (!known.test(name)) throw new Error(`it holds ${name}, which no backup does.`);
    else found[name] = { bytes: size, sha256: await writeFile(join(folder, name), content) };
  }
  await reading;
  if (manifest?.format !== 1) throw new Error("it is of a newer version, or no backup of Magpie.");
  for (const [name, { sha256 }] of Object.entries({ ...manifest.files, ...found }))
    if (manifest.files[name]?.sha256 !== sha256 || found[name]?.sha256 !== sha256)
      throw new Error(`${name} is not as it was written. Take another backup.`);
  return manifest;
}

async function writeFile(path: string, content: AsyncIterable<Buffer>): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  await pipeline(hashed(content, hash), createWriteStream(path, { mode: 0o600, flags: "wx", flush: true }));
  return hash.digest("hex");
}
