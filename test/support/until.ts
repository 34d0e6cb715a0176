/** Waits until a condition holds; fails with its name after 40 s, or as long as is told. */
export async function until(
  name: string,
  condition: () => boolean | Promise<boolean>,
  patienceMs = 40_000,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${name}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
