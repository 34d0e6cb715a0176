import { createWriteStream, existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { request as askHttp, type IncomingMessage } from "node:http";
import { request as askHttps } from "node:https";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Command } from "commander";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { credentialsPath } from "../../mixins/config/credentials.ts";
import { readEnv, readSetting } from "../../mixins/config/env.ts";
import { makeFolder } from "../../mixins/config/make-folder.ts";
import { type BackupFile, filesIn, tarOf } from "../../mixins/store/backup/archive.ts";
import { moveIn, skipPositions, snapshotOf } from "../../mixins/store/backup/snapshot.ts";
import { draftsOf, isFolderInUse, lockForRestore } from "../../mixins/store/sqlite/folder-lock.ts";
import { type Manifest, noted, readBackup, syncFolder, withManifest, writeWhole } from "./backup-file.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { examples, type Given } from "./options.ts";
import { note, printJson, printText } from "./screen.ts";
import { type Server, serverOf } from "./server.ts";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** What is the folder's alone and never leaves its machine by HTTP. */
const secrets = ["credentials.json", "telegram.session"];
/** What a backup of a folder may hold; nothing else is written to the folder. */
const known = /^(?:(?:magpie|webhooks)\.db|credentials\.json|telegram\.session|blobs(?:\/[\w-]+){2,3})$/;

/** Names in a backup of a cluster. */
const ofCluster = /^(?:indexes\.json|(?:mongo|log|frontier)\/.*)$/;

/** `magpie backup <file>`. */
export const backup = new Command("backup")
  .description("Write everything that must last into one file, while the service runs.")
  .argument("<file>", "the backup; it holds secrets, so only you can read it")
  .addHelpText("after", examples(["magpie backup magpie-$(date +%F).tar.gz", "the service of this folder"]))
  .action(async (file: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const config = configFromEnv();
    if (existsSync(file))
      throw new CommandError(`${file} is there already. Name another file.`, exitCodes.usage);
    // What has one folder need not load the clients of a cluster's servers.
    const format = config.cluster ? 2 : 1;
    const manifest: Manifest = { magpie: version, format, taken_at: new Date().toISOString(), files: {} };
    const found = config.cluster
      ? (await import("./cluster-copy.ts")).copyCluster(config.cluster)
      : filesOf(config, options);
    await writeWhole(file, tarOf(withManifest(noted(found, manifest), manifest)));
    const files = Object.keys(manifest.files);
    if (options.json) printJson(manifest);
    else printText(`${file}: ${files.length} files, as they were at ${manifest.taken_at}.`);
    if (!files.includes("credentials.json"))
      note(
        "It holds no credentials.json, which never leaves its machine by HTTP. Keep MASTER_SECRET and the keys elsewhere: without them it is of no use.",
      );
    if (config.cluster && config.s3) note("Blobs are in the bucket of S3_BUCKET: back it up now.");
  });

/** The secrets from the folder, the rest from the process that has it. */
async function* filesOf(config: Config, options: Given): AsyncGenerator<BackupFile> {
  const isHere = options.server === undefined && readSetting("MAGPIE_URL", readEnv()) === undefined;
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

/** `magpie restore <file>`. */
export const restore = new Command("restore")
  .description(
    "Put a backup into the empty data folder of this machine, or into the empty servers of a cluster.",
  )
  .argument("<file>", "what magpie backup has written")
  .addHelpText("after", examples(["DATA_DIR=./data magpie restore magpie-2026-03-14.tar.gz", "into ./data"]))
  .action(async (file: string, _: unknown, command: Command) => {
    const { json } = command.optsWithGlobals() as Given;
    const config = configFromEnv();
    if (config.cluster) {
      const { taken_at: at, ...rest } = await (await import("./cluster-restore.ts")).restoreCluster(
        config.cluster,
        file,
      );
      if (json) printJson({ ...rest, taken_at: at });
      else printText(`The cluster is as it was at ${at}. Start its nodes, with the MASTER_SECRET of then.`);
      return;
    }
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
function unpack(file: string, folder: string): Promise<Manifest> {
  return readBackup(file, 1, async ({ name, content }) => {
    if (ofCluster.test(name))
      throw new Error("it is of a cluster. Set NATS_URL, REDIS_URL and MONGO_URL to where it shall go.");
    if (!known.test(name)) throw new Error(`it holds ${name}, which no backup does.`);
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(path, { mode: 0o600, flags: "wx", flush: true }));
  });
}
