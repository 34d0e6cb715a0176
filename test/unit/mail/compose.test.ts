import fc from "fast-check";
import { compose } from "../../../mixins/mail/compose.ts";
import { newsOf } from "../../../services/domain/delivery/formats/news.ts";
import { mailContent } from "../../../services/domain/delivery/mail/content.ts";
import { readMail } from "../../support/mail-server.ts";

const from = { name: "Magpie", address: "magpie@example.com" };
const links = { publicUrl: "https://m.test", unsubscribeUrl: "https://m.test/mail/unsubscribe/x" };

/** Texts of strangers, among them what would be lines of a header, of a boundary, or of a mail's end. */
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom(
    "a\r\nBcc: victim@example.org",
    "a\nSubject: other",
    "a\r\n\r\n<script>alert(1)</script>",
    "\r\n.\r\nMAIL FROM:<a@b.test>",
    "=?utf-8?B?DQpCY2M6IGFAYi50ZXN0?=",
    "a\u0000b\u2028Bcc: c\ud800",
    `${"x".repeat(2_000)}\r\nTo: y@example.org`,
  ),
);

const names = [
  "from",
  "to",
  "subject",
  "message-id",
  "auto-submitted",
  "list-unsubscribe",
  "date",
  "mime-version",
  "content-type",
];

test("no title, name, text or template adds a header, a part or a recipient", async () => {
  const event = fc.record({ title: hostile, name: hostile, text: hostile, author: hostile });
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 1, maxLength: 3 }),
    fc.option(hostile),
    async (events, template) => {
      const news = events.map(({ title, name, text, author }) =>
        newsOf(
          JSON.stringify({
            id: "evt_1",
            type: "rss.item.created",
            seq: 1,
            timestamp: "2025-03-25T09:30:00.000Z",
            data: { source: { name }, item: { title, content_text: text, authors: [{ name: author }] } },
          }),
        ),
      );
      const content = mailContent({ news, total: news.length, template, isPlain: false, ...links });
      expect(content.subject.length).toBeLessThanOrEqual(120);
      const headers = { "List-Unsubscribe": `<${links.unsubscribeUrl}>` };
      const raw = await compose({ ...content, to: "person@example.org", id: "evt_1.w", headers }, from);
      const mail = readMail("", raw.toString());
      expect([...mail.headers.keys()].sort()).toEqual([...names].sort());
      expect([...mail.headers.values()].every(({ length }) => length === 1)).toBe(true);
      expect(mail.headers.get("to")).toEqual(["person@example.org"]);
      expect(mail.id).toBe("<evt_1.w@example.com>");
      expect([...mail.parts.keys()]).toEqual(["text/plain", "text/html"]);
      expect(mail.parts.get("text/plain")).toContain(`Unsubscribe: ${links.unsubscribeUrl}`);
      expect(mail.parts.get("text/html")).not.toContain("<script>alert");
      for (const line of raw.toString().split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
      expect(raw.toString().replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    },
  );
  const nul = { title: "\u0000", name: "", text: "", author: "" };
  await fc.assert(property, { numRuns: 150, examples: [[[nul], null]] });
});

test("an address is never more than one, and a name of the sender stays a name", async () => {
  const property = fc.asyncProperty(hostile, async name => {
    const mail = { to: "person@example.org", subject: "s", text: "t", id: "i" };
    const raw = (await compose(mail, { name, address: from.address })).toString();
    const { headers } = readMail("", raw);
    expect(headers.get("from")).toHaveLength(1);
    expect(headers.get("to")).toEqual(["person@example.org"]);
    expect(headers.has("bcc")).toBe(false);
  });
  await fc.assert(property, { numRuns: 100 });
});
