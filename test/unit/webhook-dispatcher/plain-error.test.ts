import { fail } from "../../../services/contracts/errors.ts";
import {
  errorOf,
  lineOf,
  plainError,
  plainLine,
} from "../../../services/webhook-dispatcher/threads/plain-error.ts";

test("an error passes to another thread with its code, type and data", () => {
  const error = fail(
    "expired",
    "It is gone.",
    { oldest_seq: 7 },
    Object.assign(new Error("busy"), { errcode: 5 }),
  );
  const copy = errorOf(structuredClone(plainError(error)));
  expect(copy).toMatchObject({ name: "MagpieError", message: "It is gone.", type: "expired", code: 410 });
  expect(copy).toMatchObject({ data: { oldest_seq: 7 }, cause: { message: "busy", errcode: 5 } });
  expect(copy.stack).toBe(error.stack);
});

test("what cannot be copied is text", () => {
  const error = new Error("odd", { cause: { call: () => undefined } });
  expect(errorOf(structuredClone(plainError(error))).message).toBe("odd");
  expect(errorOf(structuredClone(plainError("text"))).message).toBe("text");
});

test("a line of the log keeps its fields and errors", () => {
  const line = [
    "x.failed",
    { laneIds: ["a"], error: Object.assign(new Error("full"), { code: "ERR_SQLITE_ERROR" }) },
  ];
  const [event, fields] = lineOf(structuredClone(plainLine(line)));
  expect(event).toBe("x.failed");
  expect(fields).toMatchObject({ laneIds: ["a"], error: { message: "full", code: "ERR_SQLITE_ERROR" } });
  expect((fields as { error: unknown }).error).toBeInstanceOf(Error);
});
