/** Some peers write what they cannot parse to the console. */
export async function silently<Result>(work: () => Promise<Result>): Promise<Result> {
  const { error, warn, log } = console;
  const nothing = () => undefined;
  Object.assign(console, { error: nothing, warn: nothing, log: nothing });
  try {
    return await work();
  } finally {
    Object.assign(console, { error, warn, log });
  }
}
