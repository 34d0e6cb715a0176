import { forgetCommand } from "./forget-command.ts";

const quietMs = 10_000;

/** Tells of one trouble once in a while: every connection notices a dead Redis again and again. */
export function quiet(onError: (error: unknown) => void): (error: unknown) => void {
  let last = "";
  let toldAt = 0;
  return error => {
    forgetCommand(error);
    const isNews = String(error) !== last || performance.now() - toldAt > quietMs;
    if (!isNews) return;
    last = String(error);
    toldAt = performance.now();
    onError(error);
  };
}
