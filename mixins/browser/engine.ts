import { bundledVersion } from "./bundled/bundled-package.ts";

/** What the browser says that this process has started last. */
let started: string | undefined;

/** What a browser says of itself, such as `HeadlessChrome/153.0.7103.92`. */
export function noteEngine(version: string): void {
  started = /\/(\d+)\./.exec(version)?.[1] ?? started;
}

/** The major version of Chromium that this process renders with, or would. */
export function engineMajor(): string {
  started ??= bundledVersion()?.split(".")[0];
  return started ?? "153";
}
