import {
  formatTraceparent,
  newTrace,
  parseTraceparent,
  spanIdOf,
  traceIdOf,
} from "../../../mixins/tracing/trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test("a header becomes a place in a trace, and the same header again", () => {
  const header = `00-${traceId}-${spanId}-01`;
  const context = parseTraceparent(header);
  expect(context).toEqual({ traceId, spanId, isSampled: true });
  expect(context && formatTraceparent(context)).toBe(header);
  expect(parseTraceparent(formatTraceparent(newTrace()))).toMatchObject({ isSampled: true });
});

test("a later version may say more", () => {
  expect(parseTraceparent(`cc-${traceId}-${spanId}-00-what-else`)).toEqual({
    traceId,
    spanId,
    isSampled: false,
  });
});

test.each([
  undefined,
  "",
  ["00", traceId, spanId, "01"],
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
])("%j is no place in a trace", header => {
  expect(parseTraceparent(header)).toBeUndefined();
});

test("ids are hexadecimal, whatever a client calls its request", () => {
  expect(traceIdOf("6f1f6a0e-2f8e-4e0f-9a86-3f0d5f6e1b11")).toBe("6f1f6a0e2f8e4e0f9a863f0d5f6e1b11");
  expect(traceIdOf("order_17")).toMatch(/^[\da-f]{32}$/);
  expect(traceIdOf("order_17")).toBe(traceIdOf("order_17"));
  expect(spanIdOf("6f1f6a0e-2f8e-4e0f-9a86-3f0d5f6e1b11")).toBe("6f1f6a0e2f8e4e0f");
});
