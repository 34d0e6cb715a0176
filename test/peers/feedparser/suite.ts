import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../../mixins/runtime/show-progress.ts";
import { peerFolder } from "../install-peers.ts";

/** The source distribution has the tests, the wheel has not. */
const version = "6.0.14";
const folder = join(dirname(peerFolder), `feedparser-${version}`);
const timeoutMs = 300_000;

/** One file of feedparser's tests: a feed with an expectation in a comment. */
export interface Case {
  /** Below `tests`. */
  name: string;
  body: Buffer;
  /** A Python expression over feedparser's result. */
  expression: string;
  contentType: string;
  /** Where feedparser's own runner serves it. */
  url: string;
}

/** Fetches feedparser's source distribution, once, and reads the cases. */
export async function feedparserCases(): Promise<Case[]> {
  if (!existsSync(folder)) await showProgress("Fetching feedparser's tests (pip; once)", fetchSuite);
  const tests = join(folder, "tests");
  return globSync("{wellformed,illformed}/**/*.xml", { cwd: tests })
    .sort()
    .flatMap(name => caseOf(name, readFileSync(join(tests, name))));
}

/** It appears under its name only when it is whole. */
async function fetchSuite(): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    const options = { cwd: draft, timeout: timeoutMs };
    const wanted = ["--no-binary", ":all:", "--no-deps", `feedparser==${version}`];
    await promisify(execFile)("pip", ["download", "-q", ...wanted], options);
    const [archive = ""] = (await readdir(draft)).filter(file => file.endsWith(".tar.gz"));
    await promisify(execFile)("tar", ["-xzf", archive], options);
    await rename(join(draft, archive.replace(".tar.gz", "")), folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function caseOf(name: string, body: Buffer): Case[] {
  const text = commentIn(body);
  const expression = /Expect:[ \t]*(.+)/
    .exec(text)?.[1]
    ?.replace(/\s*-->.*$/, "")
    .trim();
  if (expression === undefined) return [];
  const contentType = /^Header:\s*Content-type:(.+)$/im.exec(text)?.[1]?.trim() ?? "";
  return [{ name, body, expression, contentType, url: `http://127.0.0.1:8097/tests/${name}` }];
}

/** Expectations are ASCII, in whichever encoding the document is. */
function commentIn(body: Buffer): string {
  const text = body.toString("latin1");
  return text.includes("Expect:") ? text : text.replaceAll("\0", "");
}
