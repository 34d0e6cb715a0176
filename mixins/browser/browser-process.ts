import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import type { Browser, Connection, LaunchOptions } from "puppeteer";
import { noteEngine } from "./engine.ts";
import { guardConnections, guardedConnection, listen, type OnError } from "./listen.ts";
import type { ProcessUsage } from "./process-usage.ts";
import { writeTogether } from "./write-together.ts";

const closeDeadlineMs = 3000;

/** A browser that can be launched. */
export interface BrowserBinary {
  executablePath: string;
  /** `shell`: chrome-headless-shell, which renders several times as many pages per second as full Chromium. */
  kind: "shell" | "full";
  /** Variables that its libraries and fonts need. */
  env: Record<string, string>;
}

/** A running browser: its processes, its scratch folder, and how much it has served. */
export interface BrowserProcess {
  readonly browser: Browser;
  readonly connection: Connection;
  readonly pid: number;
  /** Contexts in use. */
  leases: number;
  /** Pages rendered since the start. */
  pages: number;
  /** Takes no new lease; closed when the last one is returned. */
  retired: boolean;
  /** A page was ended that kept it busy. */
  isFlooded?: boolean;
  /** Why a renderer was ended last: the error message of its page. */
  endedRenderer?: string;
  /** Its processes at the last sample. */
  uses: ProcessUsage[];
  /** The question that it has not answered yet: since when, and samples since. */
  unanswered?: { since: number; samples: number } | undefined;
}

/** Why a browser is replaced: it has rendered as many pages as it may, or it or one of its pages failed. */
export const replacements = ["worn", "failed"] as const;
export type Replacement = (typeof replacements)[number];

/** The machine has no browser, or it does not start. */
export class BrowserUnavailable extends Error {}

/** Puppeteer's messages when the browser or the page went away under a command; the page itself is not the cause. */
const brokenBrowser =
  /^(?!.*crashed).*(Target closed|Session closed|Protocol error|frame was detached|main frame too early|Connection closed|Navigating frame)/is;

/** Whether another browser may succeed where this error came up. */
export function isBrokenBrowser(error: unknown): boolean {
  return brokenBrowser.test(String(error));
}

/** `scratchRoot` is a folder of this pool alone. The next start removes what a killed process leaves there. */
export async function launchBrowser(
  binary: BrowserBinary,
  { scratchRoot, onError }: { scratchRoot: string; onError: OnError },
): Promise<BrowserProcess> {
  mkdirSync(scratchRoot, { recursive: true });
  const scratch = mkdtempSync(join(scratchRoot, "browser-"));
  const short = binary.kind === "full" ? shortPath(scratch) : scratch;
  const clean = () => {
    if (short !== scratch) rmSync(dirname(short), { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const { default: puppeteer } = await import("puppeteer");
    await guardConnections();
    const browser = await puppeteer.launch(launchOptions(binary, short));
    noteEngine(await browser.version());
    const child = browser.process();
    const pid = child?.pid;
    if (child === null || pid === undefined) throw new Error("the browser ended while it started");
    writeTogether(commandPipe(child));
    // Puppeteer removes its own listeners from the pipe before a killed browser resets it.
    for (const stream of child.stdio) if (stream) listen(stream, "error", onError, () => undefined);
    listen(child, "exit", onError, () => {
      killGroup(pid);
      clean();
    });
    const state = { leases: 0, pages: 0, retired: false, uses: [] };
    const connection = await guardedConnection(browser, error => {
      state.retired = true;
      onError(error);
    });
    return Object.assign(state, { browser, connection, pid });
  } catch (error) {
    clean();
    throw error;
  }
}

/** Where a browser reads commands: its descriptor 3, by `--remote-debugging-pipe`. */
function commandPipe({ stdio }: ChildProcess): Writable {
  const pipe = stdio[3];
  if (!pipe || !("write" in pipe)) throw new Error("the browser has no pipe for commands");
  return pipe;
}

/** Full Chromium makes this below its TMPDIR, and does not start where the path is too long; the shell makes none. */
const socketName = "/org.chromium.Chromium.XXXXXX/SingletonSocket";
/** The length of a socket's path on the system that allows the least: macOS. */
const maxPathBytes = 103;

/** A path of the folder that has room for the socket: its own, or that of a link to it. */
function shortPath(folder: string): string {
  if (Buffer.byteLength(folder + socketName) <= maxPathBytes) return folder;
  const link = join(mkdtempSync(join(tmpdir(), "magpie-browser-")), "browser");
  symlinkSync(folder, link);
  return link;
}

/** Asks a browser to close, and kills all its processes after 3 s. Resolves when it has exited. */
export async function closeBrowser({ browser, pid }: BrowserProcess): Promise<void> {
  const child = browser.process();
  const gone = new Promise<void>((resolve, reject) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) resolve();
    else listen(child, "exit", reject, () => resolve());
  });
  const timer = setTimeout(killGroup, closeDeadlineMs, pid);
  browser.close().catch(() => killGroup(pid));
  await gone;
  clearTimeout(timer);
}

/** Puppeteer starts the browser as the leader of a process group of its own. */
export function killGroup(pid: number): void {
  endProcess(-pid);
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Puppeteer's defaults that weaken the browser against hostile pages: with them a flood of history entries took 9.5 GB. */
const unwantedDefaults = [
  "--disable-popup-blocking",
  "--disable-ipc-flooding-protection",
  "--disable-hang-monitor",
  "--enable-automation",
];

/**
 * The browser itself gets a proxy address on which nothing listens, so that a context without a tenant proxy reaches
 * nothing. Both spellings of the WebRTC policy are needed: the headless shell reads one, full Chromium the other. With
 * RenderDocument each navigation within a site makes a new frame host in the browser (docs/decisions/0179).
 */
export const browserArguments = [
  "--proxy-server=http://127.0.0.1:1",
  "--proxy-bypass-list=<-loopback>",
  "--disable-quic",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--js-flags=--max-old-space-size=512",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-domain-reliability",
  "--disable-component-update",
  "--disable-site-isolation-trials",
  "--disable-features=IsolateOrigins,site-per-process,BackForwardCache,RenderDocument,Translate,OptimizationHints,MediaRouter",
  "--no-pings",
  "--mute-audio",
  "--hide-scrollbars",
  "--font-render-hinting=none",
];

/** How a browser starts: it listens on no port and inherits nothing of this process' environment. */
function launchOptions(binary: BrowserBinary, scratch: string): LaunchOptions {
  return {
    executablePath: binary.executablePath,
    headless: binary.kind === "shell" ? "shell" : true,
    pipe: true,
    args: [...browserArguments, ...(runsAsRoot() ? ["--no-sandbox"] : [])],
    ignoreDefaultArgs: unwantedDefaults,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: scratch,
      TMPDIR: scratch,
      LANG: "C.UTF-8",
      ...binary.env,
    },
    // Each job sets its own.
    defaultViewport: null,
    userDataDir: `${scratch}/profile`,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 30_000,
    protocolTimeout: 600_000,
    issuesEnabled: false,
  };
}

/** Chromium refuses to start its sandbox as root. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}
