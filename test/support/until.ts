/**
 * Waits until a condition holds; fails with its name after 120 s, or after `timeoutMs`. It looks less often the longer it
 * waits: the machine is busy with what it waits for, and an API key may not ask without end.
 */
export async function until(
  name: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const began = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - began;
    if (waitedMs > timeoutMs) throw new Error(`never came true: ${name}`);
    await new Promise(resolve => setTimeout(resolve, Math.min(10 + waitedMs / 20, maxPauseMs)));
  }
}

const maxPauseMs = 100;
