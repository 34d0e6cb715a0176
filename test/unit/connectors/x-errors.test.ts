import { ApiError } from "@xdevplatform/xdk";
import { classifyError } from "../../../services/connectors/platforms/x/api.ts";
import { isRefusal } from "../../../services/connectors/social/social-connector.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const now = 1_800_000_000_000;
const thrown = (status: number, data: unknown = {}, headers: Record<string, string> = {}) =>
  new ApiError("as the library says it", status, "", new Headers(headers), data);
const reset = (seconds: number) => ({ "x-rate-limit-reset": String(now / 1000 + seconds) });

describe("a limit is waited for", () => {
  test.each([
    ["until it ends", reset(840), 840_000],
    ["a moment, when it has ended by our clock", reset(-30), 1000],
    ["a minute, when X tells no time", {}, 60_000],
    ["a minute, when the time is none", { "x-rate-limit-reset": "soon" }, 60_000],
  ])("%s", (_, headers, waitMs) => expect(classifyError(thrown(429, {}, headers), now)).toEqual({ waitMs }));
});

describe("thrown as it is", () => {
  const problem = (type: string) => ({ type: `https://api.x.com/2/problems/${type}` });
  const cases: [string, unknown, string, RegExp][] = [
    [
      "too many connections",
      thrown(429, { connection_issue: "TooManyConnections" }, reset(900)),
      "connector_unavailable",
      /still/,
    ],
    ["a used-up plan", thrown(429, problem("usage-capped"), reset(900)), "connector_unavailable", /used up/],
    ["a used-up credit", thrown(402), "connector_unavailable", /used up/],
    ["a wrong token", thrown(401), "connector_unavailable", /refuses the credentials/],
    ["a plan that lacks it", thrown(403, problem("client-forbidden")), "connector_unavailable", /not allow/],
    ["what is protected", thrown(403, problem("not-authorized-for-resource")), "not_found", /everybody/],
    ["what is not there", thrown(404), "not_found", /nothing/],
    [
      "a request that X does not accept, in X's words",
      thrown(400, {
        title: "Invalid Request",
        detail: "The `expansions` query parameter\nvalue [x] is not one of [y]",
      }),
      "upstream_error",
      /^X does not accept this request: The `expansions` query parameter value \[x\] is not one of \[y\]\.$/,
    ],
    [
      "X in trouble, in its words",
      thrown(500, { title: "Internal Server Error" }),
      "connector_unavailable",
      /status 500: Internal Server Error\.$/,
    ],
    ["X in trouble", thrown(503, "<html>Over capacity</html>"), "connector_unavailable", /status 503/],
    ["a broken network", thrown(0, new TypeError("fetch failed")), "connector_unavailable", /reached/],
    [
      "an answer that is no JSON",
      new SyntaxError("Unexpected token <"),
      "connector_unavailable",
      /cannot be read/,
    ],
  ];
  test.each(cases)("%s", (_, error, code, sentence) => {
    const verdict = classifyError(error, now);
    if (!("error" in verdict)) throw new Error("is waited for");
    expect(codeOf(verdict.error)).toBe(code);
    expect(verdict.error.message).toMatch(sentence);
    if (code === "not_found") return;
    expect(verdict.error.cause).toBe(error);
    if (code === "connector_unavailable" && !isRefusal(verdict.error))
      expect(verdict.error).toMatchObject({ data: { retry_after: expect.any(Number) } });
  });
});

test.each([
  [401, true],
  [403, true],
  [404, false],
  [500, false],
  [0, false],
])("status %d is a refusal: %s", (status, expected) => {
  const verdict = classifyError(thrown(status), now);
  expect(isRefusal("error" in verdict && verdict.error)).toBe(expected);
});
