import { failedByError, failedByStatus } from "../../../services/connectors/connector.ts";
import { fail } from "../../../services/contracts/errors.ts";

const source = { externalId: "https://example.com/", state: { seen: 1 }, failures: 0 };
const tools = { minIntervalMs: 1000, random: () => 0, now: () => 0 } as Parameters<typeof failedByStatus>[1];

test.each<[number, Record<string, string>, object]>([
  [403, {}, { reason: "The site answered with status 403.", gone: false, status: 403 }],
  [410, {}, { gone: true, status: 410 }],
  [503, { "retry-after": "120" }, { gone: false, status: 503, askedMs: 120_000, retryAfterMs: 120_000 }],
])("status %i with %j", (status, headers, expected) => {
  const failed = failedByStatus(source, tools, status, headers);
  expect(failed).toMatchObject({ ok: false, state: source.state, ...expected });
  expect("askedMs" in failed).toBe("askedMs" in expected);
});

test("an error of the fetch keeps its code; one of this service is thrown", () => {
  const failed = failedByError(source, tools, fail("tls_error", "The certificate has expired."));
  expect(failed).toMatchObject({ ok: false, reason: "The certificate has expired.", code: "tls_error" });
  const ours = fail("overloaded", "Too much is under way.");
  expect(() => failedByError(source, tools, ours)).toThrow(ours);
});
