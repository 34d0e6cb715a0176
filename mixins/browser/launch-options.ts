import type { LaunchOptions } from "puppeteer";
import type { BrowserBinary } from "./find-browser.ts";

/** Puppeteer's defaults that weaken the browser against hostile pages: without them a history flood took 9.5 GB. */
const unwantedDefaults = [
  "--disable-popup-blocking",
  "--disable-ipc-flooding-protection",
  "--disable-hang-monitor",
  "--enable-automation",
];

/**
 * The browser itself gets a proxy that is not there, so that a context without a lane reaches nothing. Both spellings
 * of the WebRTC policy are needed: the headless shell reads one, full Chromium the other.
 */
const arguments_ = [
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
  "--disable-features=IsolateOrigins,site-per-process,BackForwardCache,Translate,OptimizationHints,MediaRouter",
  "--no-pings",
  "--mute-audio",
  "--hide-scrollbars",
  "--font-render-hinting=none",
];

/** How a browser is started: nothing listens, nothing of our environment is handed on. */
export function launchOptions(binary: BrowserBinary, scratch: string): LaunchOptions {
  return {
    executablePath: binary.executablePath,
    headless: binary.kind === "shell" ? "shell" : true,
    pipe: true,
    args: [...arguments_, ...(runsAsRoot() ? ["--no-sandbox"] : [])],
    ignoreDefaultArgs: unwantedDefaults,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: scratch,
      TMPDIR: scratch,
      LANG: "C.UTF-8",
      ...binary.env,
    },
    userDataDir: `${scratch}/profile`,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 30_000,
    protocolTimeout: 600_000,
  };
}

/** Chromium refuses to start its sandbox as root. */
function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}
