/**
 * The lines of a stream that are not empty. X sends an empty one every 20 seconds when it has nothing to tell, which the
 * library's own stream does not pass on; rejects when nothing at all has come for `silenceMs`.
 */
export async function* streamLines(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await unlessSilent(silenceMs, reader.read());
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter(line => line.trim() !== "");
  }
}

/** Time that the reader of the lines takes does not count. */
async function unlessSilent<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error("X's stream fell silent.")), ms);
  try {
    return await Promise.race([value, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
