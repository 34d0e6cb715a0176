import { buffer } from "node:stream/consumers";
import { streamOf, Uploads } from "../../../../services/api/request/uploads.ts";
import { codeOf } from "../../../../services/contracts/errors.ts";

function refusalOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

test("one sender and all together have their room", () => {
  const uploads = new Uploads(100, 60);
  const [first, second, third] = [uploads.open("a"), uploads.open("a"), uploads.open("b")];
  first.add(40);
  expect(refusalOf(() => second.add(30))).toBe("rate_limited");
  second.add(20);
  expect(refusalOf(() => third.add(50))).toBe("overloaded");
  third.add(40);
  expect(uploads.bytes).toBe(100);
  first.close();
  expect(uploads.bytes).toBe(60);
  second.add(30);
  for (const account of [first, second, third]) account.close();
  expect(uploads.bytes).toBe(0);
});

test("what comes after the end counts for nothing", () => {
  const uploads = new Uploads();
  const account = uploads.open("a");
  account.add(5);
  account.close();
  account.add(5);
  account.close();
  expect(uploads.bytes).toBe(0);
});

test("a file becomes a stream of pieces that fit into messages", async () => {
  const pieces = [Buffer.alloc(300_000, "a"), Buffer.from("b"), Buffer.alloc(0)];
  const file = { name: "x", type: "", size: 300_001, pieces };
  const sizes: number[] = [];
  for await (const piece of streamOf(file)) sizes.push(piece.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(128 * 1024);
  expect(await buffer(streamOf(file))).toEqual(Buffer.concat(pieces));
});
