import { streamLines } from "../../../services/connectors/microblog/x/stream-lines.ts";

const never = 1_000_000;
const bytes = (text: string) => [...Buffer.from(text)];

/** A stream of the given chunks, that ends after them unless it is told to stay. */
function streamOf(chunks: number[][], stays = false): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk));
      if (!stays) controller.close();
    },
  });
}

async function linesOf(stream: ReadableStream<Uint8Array>, silenceMs = never): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of streamLines(stream.getReader(), silenceMs)) lines.push(line.trim());
  return lines;
}

const text = '{"a":"Elster 🐦"}\r\n\r\n{"b":"かささぎ"}\r\n';
const lines = ['{"a":"Elster 🐦"}', '{"b":"かささぎ"}'];

test.each([1, 2, 3, 5, 7, 1000])("lines are whole in chunks of %d bytes", async size => {
  const all = bytes(text);
  const count = Math.ceil(all.length / size);
  const chunks = Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
  expect(await linesOf(streamOf(chunks))).toEqual(lines);
});

test("what breaks off in a line is none", async () => {
  expect(await linesOf(streamOf([bytes(`${text}{"c":`)]))).toEqual(lines);
});

test("silence ends it, after what came before", async () => {
  const told: string[] = [];
  const listening = (async () => {
    for await (const line of streamLines(streamOf([bytes(text)], true).getReader(), 10))
      told.push(line.trim());
  })();
  await expect(listening).rejects.toThrow("fell silent");
  expect(told).toEqual(lines);
});

test("a broken stream is told as it is", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: controller => controller.error(new Error("reset")),
  });
  await expect(linesOf(broken)).rejects.toThrow("reset");
});
