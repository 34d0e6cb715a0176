import {
  problemAfter,
  problemOf,
  type StoredProblem,
} from "../../../../services/domain/polling/source-problem.ts";

const at = Date.parse("2026-11-23T10:32:45.000Z");
const later = at + 3_600_000;

test("a source whose last poll succeeded has no problem", () => {
  expect(problemOf({ health: "ok", failures: 0 })).toBeNull();
});

test.each<[Partial<StoredProblem>, RegExp]>([
  [{ status: 401 }, /has answered 401 since 2026-11-23 10:32 UTC: it asks for a login/],
  [{ status: 402 }, /402 .*: it asks for money/],
  [{ status: 403 }, /has answered 403 since 2026-11-23 10:32 UTC: it refuses Magpie\. Ask its operator/],
  [{ status: 404 }, /404 .*: there is nothing at this address any more\. .* track the new address/],
  [{ status: 410 }, /410 .*: it says that this is gone for good\./],
  [{ status: 418 }, /418 .*: it does not show what is tracked\. .* Magpie tries again/],
  [{ status: 429 }, /429 .*: it is asked too often\. .* nothing is to be done/],
  [{ status: 451 }, /451 .*: it refuses Magpie/],
  [{ status: 503 }, /503 .*: it has a fault of its own\. Magpie tries again by itself/],
  [{ code: "target_unreachable" }, /^It is broken\. .* Check that the address is still right\./],
  [{ code: "target_blocked" }, /^It is broken\. .* Ask the site's operator/],
  [{ code: "tls_error" }, /renew the certificate/],
  [{ code: "scrape_timeout" }, /The site is slow/],
  [{ code: "unsupported_media_type" }, /If the page has moved/],
  [{ code: "not_found" }, /If it was renamed/],
  [{ code: "forbidden" }, /Let the account that Magpie uses read it/],
  [{ code: "expired" }, /Stop tracking this source\.$/],
  [{ code: "upstream_error" }, /^It is broken\. .* Magpie tries again by itself/],
  [{}, /^It is broken\. It has been so since 2026-11-23 10:32 UTC\. Magpie tries again/],
])("%j: %s", (problem, words) => {
  const sentence = problemOf({
    health: "failing",
    failures: 6,
    problem: { since: at, reason: "It is broken.", ...problem },
  });
  expect(sentence).toMatch(words);
  expect(sentence).toMatch(/\.$/);
});

test("the rule that refuses an address is not named", () => {
  const problem = { since: at, reason: "10.0.0.7 is not public.", code: "url_not_allowed" };
  const sentence = problemOf({ health: "ok", failures: 2, problem });
  expect(sentence).toMatch(/may not read the address.* An administrator can permit it/);
  expect(sentence).not.toContain("10.0.0.7");
});

test("one failure is no lasting state", () => {
  const problem = { since: at, reason: "The page has no content." };
  expect(problemOf({ health: "ok", failures: 1, problem })).toMatch(/^The page .* This was so at 2026-11-23/);
});

test("a failure whose reason was not kept says when it will be known", () => {
  expect(problemOf({ health: "ok", failures: 1 })).toBe("The last poll failed; the next one will show why.");
  expect(problemOf({ health: "gone", failures: 7 })).toBe(
    "The last 7 polls failed; the next one will show why.",
  );
});

describe("after another failure", () => {
  const before: StoredProblem = { since: at, reason: "a", status: 403 };

  test.each<[string, StoredProblem | undefined, Parameters<typeof problemAfter>[1], number]>([
    ["the first one", undefined, { reason: "a", status: 403 }, later],
    ["the same status", before, { reason: "b", status: 403 }, at],
    ["another status", before, { reason: "a", status: 500 }, later],
    ["the same code", { since: at, reason: "a", code: "x" }, { reason: "b", code: "x" }, at],
    ["another code", { since: at, reason: "a", code: "x" }, { reason: "a", code: "y" }, later],
    ["the same reason", { since: at, reason: "a" }, { reason: "a" }, at],
    ["another reason", { since: at, reason: "a" }, { reason: "b" }, later],
  ])("%s: since %#", (_, former, failed, since) => {
    expect(problemAfter(former, failed, later)).toEqual({ ...failed, since });
  });

  test("a wait that the source asks for ends at a time, within a day", () => {
    expect(problemAfter(before, { reason: "a", status: 403, askedMs: 60_000 }, later)).toEqual({
      ...before,
      notBefore: later + 60_000,
    });
    const day = 24 * 3_600_000;
    expect(problemAfter(undefined, { reason: "a", askedMs: 9 * day }, at).notBefore).toBe(at + day);
  });
});
