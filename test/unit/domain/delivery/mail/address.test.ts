import fc from "fast-check";
import {
  addressOf,
  awaitsConfirmation,
  mailboxOf,
  mailUrl,
  readAddress,
  readMailUrl,
} from "../../../../../services/domain/delivery/mail/address.ts";

test.each([
  ["mailto:person@example.org", "person@example.org"],
  ["MAILTO:Person@Example.ORG", "Person@example.org"],
  ["mailto:a+b@example.org", "a+b@example.org"],
  ["mailto:a%2Bb@example.org", "a+b@example.org"],
  ["mailto:o'neil@sub.example.co.uk", "o'neil@sub.example.co.uk"],
  ["mailto:x@bücher.example", "x@xn--bcher-kva.example"],
  ["mailto:50%23@example.org", "50#@example.org"],
])("%s is %s", (url, address) => {
  expect(readMailUrl(url)).toEqual({ address });
  expect(addressOf(mailUrl(address))).toBe(address);
  expect(new URL(mailUrl(address)).href).toBe(mailUrl(address));
});

test.each([
  "mailto:",
  "mailto:@example.org",
  "mailto:a@",
  "mailto:a b@example.org",
  "mailto:a@b@example.org",
  "mailto:a@example.org,b@example.org",
  "mailto:a@example.org;b@example.org",
  "mailto:%22a%22@example.org",
  "mailto:a%0aBcc%3a%20b@example.org",
  "mailto:a..b@example.org",
  "mailto:victim%25example.com@example.org",
  "mailto:example.com!victim@example.org",
  "mailto:a@example",
  "mailto:a@[127.0.0.1]",
  "mailto:a@127.0.0.1",
  "mailto:a@0x7f000001",
  "mailto:a@example.org/x",
  "mailto:a@example.org?to=b@example.org",
  "mailto:ä@example.org",
  `mailto:${"a".repeat(65)}@example.org`,
  `mailto:a@${"b.".repeat(130)}org`,
])("%s is no address", url => {
  expect(readMailUrl(url)).toEqual({ problem: expect.stringMatching(/^(must|holds|has) /) });
});

test("what is taken is one address without anything that SMTP or a header reads", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (local, domain) => {
      const read = readAddress(`${local}@${domain}`);
      if ("address" in read) expect(read.address).toMatch(/^[!-;=?-~]+@[a-z0-9.-]+$/);
    }),
  );
});

test("another address waits for its owner, a program does not", () => {
  const url = "mailto:a@example.org";
  expect(awaitsConfirmation({ url })).toBe(true);
  expect(awaitsConfirmation({ url, confirmed: "mailto:b@example.org" })).toBe(true);
  expect(awaitsConfirmation({ url, confirmed: url })).toBe(false);
  expect(awaitsConfirmation({ url: "https://example.org/" })).toBe(false);
});

test.each([
  ["Person@example.org", "person@example.org"],
  ["person+news@example.org", "person@example.org"],
  ["per.son@example.org", "per.son@example.org"],
  ["p.e.r.son+a+b@GoogleMail.com", "person@gmail.com"],
])("mails to %s are counted for %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
