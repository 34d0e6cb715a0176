import { retryAfterMs } from "../../../../services/domain/url/retry-after.ts";

const now = Date.parse("1994-11-06T08:49:00Z");

test.each<[string | null | undefined, number | undefined]>([
  ["120", 120_000],
  [" 120 ", 120_000],
  ["0", 0],
  ["0.25", 250],
  ["1.0004", 1001],
  ["9".repeat(400), 366 * 24 * 60 * 60 * 1000],
  // The three forms of RFC 9110, 5.6.7.
  ["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
  ["Sun Nov  6 08:49:37 1994", 37_000],
  ["Sun, 06 Nov 1994 08:48:00 GMT", 0],
  ["-5", undefined],
  ["1e3", undefined],
  ["5s", undefined],
  ["1994-11-06T08:49:37Z", undefined],
  ["soon", undefined],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
])("Retry-After %j asks for %p ms", (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));
