import { scryptSync } from "node:crypto";
import { codeOf } from "../../../services/contracts/errors.ts";
import { Passwords } from "../../../services/keys/passwords.ts";

const passwords = new Passwords({ ln: 4, r: 8, p: 1 });

test("a new hash has the parameters that OWASP asks for", async () => {
  expect(await new Passwords().hash("correct horse")).toMatch(
    /^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/,
  );
});

test("a password is known again, and nothing else is taken for it", async () => {
  const stored = await passwords.hash("correct horse");
  expect(await passwords.fits("correct horse", stored)).toBe(true);
  for (const wrong of ["correct horsf", "correct horse ", "Correct horse", ""])
    expect(await passwords.fits(wrong, stored)).toBe(false);
});

test("the same password is stored differently each time", async () => {
  expect(await passwords.hash("the same one")).not.toBe(await passwords.hash("the same one"));
});

test("two Unicode forms of one text are one password", async () => {
  expect(await passwords.fits("Z\u00fcrich 2026", await passwords.hash("Zu\u0308rich 2026"))).toBe(true);
});

test.each([undefined, "", "plain text", "$scrypt$ln=15,r=8,p=3$$"])(
  "nothing fits the stored value %j",
  async stored => expect(await passwords.fits("", stored)).toBe(false),
);

test("a hash of other costs is compared by its own", async () => {
  const hash = scryptSync("ten letters", "salt of the test", 32, { N: 32, r: 4, p: 2 });
  const salt = Buffer.from("salt of the test").toString("base64url");
  const stored = `$scrypt$ln=5,r=4,p=2$${salt}$${hash.toString("base64url")}`;
  expect(await passwords.fits("ten letters", stored)).toBe(true);
  expect(await passwords.fits("ten letterz", stored)).toBe(false);
});

test("of too many at once those beyond the queue are refused, and all others are answered", async () => {
  const stored = await passwords.hash("ten letters");
  const tries = await Promise.all(
    Array.from({ length: 45 }, () => passwords.fits("ten letters", stored).catch(codeOf)),
  );
  expect(tries.filter(each => each === true)).toHaveLength(34);
  expect(tries.filter(each => each === "overloaded")).toHaveLength(11);
});
