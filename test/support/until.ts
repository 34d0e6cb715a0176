/** Waits until a condition holds; fails with its name after 10 s. */
export async function until(name: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${name}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
