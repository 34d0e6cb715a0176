/** Says in one line why the program cannot start, and ends it. */
export function refuseToStart(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`magpie cannot start: ${reason.replaceAll(/\s*\n\s*/g, " ")}\n`);
  process.exit(1);
}
