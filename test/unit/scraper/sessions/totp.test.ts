import { totp } from "../../../../services/scraper/sessions/totp.ts";

// RFC 6238, appendix B: the secret "12345678901234567890"; the last six of the eight digits.
const seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i s the password is %s", (seconds, password) => {
  expect(totp(seed, seconds * 1000)).toBe(password);
});

test("a seed may be in lower case, in groups and padded", () => {
  expect(totp("gezd gnbv gy3t qojq gezd gnbv gy3t qojq", 59_000)).toBe("287082");
  expect(totp("JBSWY3DPEHPK3PXP====", 59_000)).toBe(totp("JBSWY3DPEHPK3PXP", 59_000));
});
