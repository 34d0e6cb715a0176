import { Writable } from "node:stream";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { writeTogether } from "../../../mixins/browser/write-together.ts";

/** A stream whose writes are kept as the system would get them. */
function recorded() {
  const calls: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      calls.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join(""));
      done();
    },
  });
  writeTogether(stream);
  return { stream, calls };
}

test("what is written in one turn goes out together, in order", async () => {
  const { stream, calls } = recorded();
  for (const text of ["a", ";", "b", ";"]) stream.write(text);
  await Promise.resolve().then(() => stream.write("c;"));
  expect(calls).toEqual([]);
  await yieldToLoop();
  expect(calls).toEqual(["a;b;c;"]);
  stream.write("d;");
  await yieldToLoop();
  expect(calls).toEqual(["a;b;c;", "d;"]);
});

test("a stream that ends sends what was held, and one that was destroyed nothing more", async () => {
  const ended = recorded();
  ended.stream.write("a");
  ended.stream.end("b");
  await yieldToLoop();
  expect(ended.calls).toEqual(["ab"]);
  const destroyed = recorded();
  destroyed.stream.write("a");
  destroyed.stream.destroy();
  await yieldToLoop();
  expect(destroyed.calls).toEqual([]);
});
