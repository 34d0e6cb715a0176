import type { Writable } from "node:stream";

/**
 * What is written in one tick of the event loop goes out together. Puppeteer writes each command and its end by themselves,
 * and each write is a call of the system that wakes the browser.
 */
export function writeTogether(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  const hold = (...args: unknown[]) => {
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return write(...args);
  };
  stream.write = hold as typeof stream.write;
}
