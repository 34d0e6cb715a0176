/** Sets the detail that the next line shows. */
export type SetDetail = (detail: string) => void;

export interface ProgressOptions {
  /** Takes each line; by default it goes to standard error. */
  write?: (line: string) => void;
  everyMs?: number;
}

/**
 * Runs a step that takes long. Writes a line before it begins, one every few seconds with the time so far, and one with
 * the time that it took.
 */
export async function showProgress<Result>(
  what: string,
  step: (note: SetDetail) => Promise<Result>,
  { write = toStandardError, everyMs = 10_000 }: ProgressOptions = {},
): Promise<Result> {
  const since = performance.now();
  let detail = "";
  const elapsed = () => `${Math.round((performance.now() - since) / 1000)} s`;
  const note: SetDetail = text => {
    detail = `: ${text}`;
  };
  write(`${what} …`);
  const timer = setInterval(() => write(`${what}, for ${elapsed()} so far${detail}`), everyMs);
  try {
    const result = await step(note);
    write(`${what}: done in ${elapsed()}`);
    return result;
  } catch (error) {
    write(`${what}: failed after ${elapsed()}`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}
