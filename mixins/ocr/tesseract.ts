import { execFile, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { promisify } from "node:util";
import type { PageImage } from "../../reader/pdf/pdf-scans.ts";
import { FairSemaphore } from "../async/fair-semaphore.ts";
import { ConfigError } from "../config/env.ts";

/** Recognises text in pictures. */
export interface Ocr {
  /**
   * The text of a page as hOCR. Calls of one group wait for one another. Rejects with the signal's reason when it fires,
   * and where the program fails.
   */
  recognize(image: PageImage, group: string, signal: AbortSignal): Promise<string>;
}

export interface OcrOptions {
  /** Tesseract, or a program that is called in the same way: a name or a path. */
  program: string;
  /** Names of languages that are installed. */
  languages: string[];
  /** The variable PATH. */
  searchPath: string;
  /** Gets the errors of pages whose text could not be recognised. */
  onFailed(error: unknown): void;
}

const checkMs = 10_000;
const maxOutput = 16 * 1024 * 1024;
/** Programs that run at a time: each keeps a core busy, at a low priority. */
const width = 2;

/** Throws, with what to do, where the program cannot be run or has not the languages. */
export async function openOcr(options: OcrOptions): Promise<Ocr> {
  const known = await languagesOf(options);
  const missing = options.languages.filter(language => !known.includes(language));
  if (missing.length > 0)
    throw new ConfigError(
      "OCR_LANGUAGES",
      `${options.program} has no ${missing.join(", ")}; it has ${known.join(", ")}. Install them (Debian: apt-get install tesseract-ocr-${missing[0]?.replaceAll("_", "-")}), or name others`,
    );
  const places = new FairSemaphore({ width, perGroup: 1 });
  return {
    recognize: (image, group, signal) =>
      places.run(group, signal, () =>
        run(options, image, signal).catch(error => {
          if (!signal.aborted) options.onFailed(error);
          throw error;
        }),
      ),
  };
}

/** The program gets nothing of this process' settings. It keeps to one core. */
function environment({ searchPath }: OcrOptions): NodeJS.ProcessEnv {
  return { PATH: searchPath, OMP_THREAD_LIMIT: "1", OMP_NUM_THREADS: "1" };
}

async function languagesOf(options: OcrOptions): Promise<string[]> {
  try {
    const list = promisify(execFile)(options.program, ["--list-langs"], {
      ...{ env: environment(options), timeout: checkMs, killSignal: "SIGKILL" },
    });
    const { stdout, stderr } = await list;
    return `${stdout}\n${stderr}`.split("\n").flatMap(line => /^\s*([\w/.-]+)\s*$/.exec(line)?.[1] ?? []);
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new ConfigError(
      "OCR",
      `${options.program} cannot be run (${why}). Install it (Debian: apt-get install tesseract-ocr), or leave OCR out`,
    );
  }
}

/** The picture goes to the program by its input, the text comes by its output: there are no files and no shell. */
async function run(options: OcrOptions, image: PageImage, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const args = ["stdin", "stdout", "-l", options.languages.join("+"), "--psm", "3", "hocr"];
  const child = spawn(options.program, args, {
    env: environment(options),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const stop = () => child.kill("SIGKILL");
  signal.addEventListener("abort", stop);
  try {
    return await new Promise<string>((resolve, reject) => {
      const parts: Buffer[] = [];
      let length = 0;
      child.on("spawn", () => lower(child.pid));
      child.on("error", reject);
      child.stdout.on("data", (part: Buffer) => {
        length += part.length;
        if (length > maxOutput) stop();
        else parts.push(part);
      });
      child.on("close", (code, killed) => {
        if (code === 0 && length <= maxOutput) return resolve(Buffer.concat(parts).toString());
        reject(
          signal.aborted ? signal.reason : new Error(`${options.program} ended with ${killed ?? code}.`),
        );
      });
      // It may end before it has read all: its end says so.
      child.stdin.on("error", () => undefined);
      child.stdin.write(`P5\n${image.width} ${image.height}\n255\n`);
      child.stdin.end(image.pixels);
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Others come first. Where the machine does not let us, it runs as it is. */
function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the system has no priorities.
  }
}
