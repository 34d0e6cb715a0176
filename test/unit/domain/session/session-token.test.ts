import {
  hasSessionForm,
  type SessionClaims,
  signSession,
  verifySession,
} from "../../../../services/domain/session/session-token.ts";

const key = Buffer.alloc(32, 1);
const other = Buffer.alloc(32, 2);
const claims: SessionClaims = {
  ...{ role: "owner", owner: "Ada & Söhne", generation: 3 },
  ...{ id: "s", expiresAt: 1000 },
};
const token = signSession(key, claims);
const [version = "", body = "", mac = ""] = token.split(".");
const forged = Buffer.from(JSON.stringify({ ...claims, owner: "eve" })).toString("base64url");

test("a token gives back its claims until it expires", () => {
  expect(verifySession(key, token, 999)).toEqual(claims);
  expect(verifySession(key, token, 1000)).toBeNull();
});

test.each([
  ["of another key", signSession(other, claims)],
  ["with other claims", [version, forged, mac].join(".")],
  ["without its signature", [version, body, ""].join(".")],
  ["with half of its signature", [version, body, mac.slice(0, 20)].join(".")],
  ["of another version", ["v2", body, mac].join(".")],
  ["with something behind it", `${token}.x`],
  ["with a line end behind it", `${token}\n`],
  ["that is empty", ""],
  ["that is too long", `v1.${"a".repeat(3000)}.${mac}`],
])("a token %s is none", (_, text) => {
  expect(verifySession(key, text, 0)).toBeNull();
});

test("a token has one spelling, so that one that was ended is known", () => {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const spellings = [...digits].map(last => token.slice(0, -1) + last);
  expect(spellings.filter(spelling => verifySession(key, spelling, 0))).toEqual([token]);
});

test("the form of a token is seen without its key", () => {
  expect([token, signSession(other, claims), "v1.a.b", "mk_abc"].map(hasSessionForm)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
