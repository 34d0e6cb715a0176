import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { FileStream, sendUpload, Uploads } from "../../../../services/api/request/uploads.ts";
import { codeOf } from "../../../../services/contracts/errors.ts";

function refusalOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

test("one sender takes half of what the others leave, so there is room for one more", () => {
  const uploads = new Uploads(128);
  const [first, second, third] = [uploads.open("a"), uploads.open("a"), uploads.open("b")];
  first.add(40);
  expect(refusalOf(() => second.add(25))).toBe("rate_limited");
  second.add(24);
  expect(refusalOf(() => third.add(33))).toBe("rate_limited");
  third.add(32);
  expect(refusalOf(() => third.add(33))).toBe("overloaded");
  expect(uploads.bytes).toBe(96);
  uploads.open("c").add(16);
  first.close();
  expect(uploads.bytes).toBe(72);
  second.add(10);
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

test("a file becomes a stream of pieces that fit into messages, and stays open until it is stopped", async () => {
  const pieces = [Buffer.alloc(300_000, "a"), Buffer.from("b"), Buffer.alloc(0)];
  const stream = new FileStream({ pieces });
  const read: Buffer[] = [];
  for await (const piece of stream) {
    read.push(piece);
    if (Buffer.concat(read).length < 300_001) continue;
    expect(stream.readableEnded).toBe(false);
    stream.stop();
  }
  expect(Math.max(...read.map(piece => piece.length))).toBeLessThanOrEqual(128 * 1024);
  expect(Buffer.concat(read).equals(Buffer.concat(pieces))).toBe(true);
});

describe("a call with a file", () => {
  const file = { name: "x", type: "", size: 500_000, pieces: [Buffer.alloc(500_000)] };

  function uploading() {
    const uploads = new Uploads();
    const account = uploads.open("a");
    account.add(file.size);
    return { uploads, req: { upload: file, endUpload: () => account.close() } };
  }

  test("holds its room until it has ended, also when the client leaves; the stream says so", async () => {
    const { uploads, req } = uploading();
    const { promise, reject } = Promise.withResolvers<never>();
    const answer = sendUpload(req, stream => {
      stream?.on("error", reject);
      return promise;
    });
    req.endUpload();
    expect(uploads.bytes).toBe(file.size);
    await expect(answer).rejects.toThrow("The client has gone.");
    expect(uploads.bytes).toBe(0);
  });

  test("that is refused sends no more", async () => {
    const { uploads, req } = uploading();
    let sent: Readable | undefined;
    await expect(
      sendUpload(req, async stream => {
        sent = stream;
        throw new Error("refused");
      }),
    ).rejects.toThrow("refused");
    expect(uploads.bytes).toBe(0);
    expect((await buffer(sent ?? Readable.from([]))).length).toBeLessThan(file.size);
    expect(req.upload).toBeUndefined();
  });
});
