import { parseSid, parseUsername } from "../../../services/connectors/microblog/x/parse-sid.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

describe("parseSid", () => {
  const good: [string, object[]][] = [
    ["jack", [{ username: "jack" }]],
    ["  @Jack_99 ", [{ username: "Jack_99" }]],
    ["12", [{ username: "12" }, { id: "12" }]],
    ["9223372036854775807", [{ id: "9223372036854775807" }]],
    ["@12", [{ username: "12" }]],
    ["https://x.com/jack", [{ username: "jack" }]],
    ["HTTPS://X.COM/jack", [{ username: "jack" }]],
    ["http://www.twitter.com/jack/", [{ username: "jack" }]],
    ["https://mobile.twitter.com/jack?lang=en#top", [{ username: "jack" }]],
    ["x.com/jack", [{ username: "jack" }]],
    ["https://x.com/jack/status/20", [{ username: "jack" }]],
    ["https://x.com/i/user/12", [{ id: "12" }]],
    ["https://x.com/12", [{ username: "12" }]],
  ];
  test.each(good)("%j", (sid, expected) => expect(parseSid(sid)).toEqual(expected));

  const bad = [
    "",
    "@",
    "@@jack",
    "two words",
    "sixteen_letters_",
    "jäck",
    "12345678901234567890",
    "-12",
    "https://x.com",
    "https://x.com/",
    "https://x.com/home",
    "https://x.com/i/user/jack",
    "https://x.com/i/lists/12",
    "https://x.com/a%2Fb",
    "https://x.com.site.example/jack",
    "https://site.example/x.com/jack",
    "ftp://x.com/jack",
    "https://x.com@site.example/jack",
    "../users/12",
  ];
  test.each(bad)("refuses %j, naming the field", sid => {
    expect(faultOf(() => parseSid(sid))).toEqual(["validation_failed", "sid"]);
  });
});

describe("parseUsername", () => {
  test.each([
    ["jack", "jack"],
    ["@jack", "jack"],
    ["12", "12"],
  ])("%j", (given, username) => expect(parseUsername(given)).toEqual({ username }));

  test.each(["", "https://x.com/jack", "sixteen_letters_", "a b"])("refuses %j", given => {
    expect(faultOf(() => parseUsername(given))).toEqual(["validation_failed", "username"]);
  });
});

function faultOf(run: () => unknown): unknown[] {
  try {
    return ["answered", run()];
  } catch (error) {
    const { data } = error as { data?: { details?: { field: string }[] } };
    return [codeOf(error), data?.details?.[0]?.field];
  }
}
