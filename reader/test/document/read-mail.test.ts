import { failureOf, markdownOf, readAs } from "./markdown-of.ts";

const lines = (...all: string[]) => Buffer.from(all.join("\r\n"));
const head = [
  "From: =?utf-8?Q?Ann_L=C3=ADnd?= <ann@a.example>",
  "To: bo@b.example, Team: x@c.example;",
  "Subject: =?utf-8?B?VGhlIG1pbGwg4oCT IG5vdGVz?=",
  "Date: Sat, 31 Jan 2026 12:00:00 +0100",
  "MIME-Version: 1.0",
];
const shown =
  "**From:** Ann Línd <ann@a.example>  \n**To:** bo@b.example, x@c.example  \n**Date:** 2026-01-31T11:00:00Z";

test("a text has its head and its paragraphs; what it quotes is a quotation", async () => {
  const mail = lines(
    ...head,
    "Content-Type: text/plain; charset=iso-8859-1",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "Caf=E9 at *noon*?",
    "",
    "> Yes.",
    "> Or later.",
  );
  const page = await readAs(mail, "message/rfc822");
  expect(page.markdown).toContain("Café at \\*noon\\*?\n\n> Yes.  \n> Or later.");
  expect(page.markdown).toContain(shown.replaceAll("<", "\\<"));
  expect(page).toMatchObject({
    title: "The mill – notes",
    author: "Ann Línd",
    published_time: "2026-01-31T11:00:00Z",
  });
});

const mixed = lines(
  ...head,
  'Content-Type: multipart/mixed; boundary="m"',
  "",
  "--m",
  'Content-Type: multipart/alternative; boundary="a"',
  "",
  "--a",
  "Content-Type: text/plain",
  "",
  "Plain.",
  "--a",
  "Content-Type: text/html; charset=utf-8",
  "",
  '<p style="display:none">Preheader</p><h2>Notes</h2><p>See <a href="https://map.example/">the map</a>.</p><img src="cid:x" alt="A mill at dusk"><script>x()</script>',
  "--a--",
  "--m",
  'Content-Type: application/pdf; name="mill.pdf"',
  "Content-Disposition: attachment",
  "Content-Transfer-Encoding: base64",
  "",
  Buffer.alloc(2048).toString("base64"),
  "--m--",
);

test("the HTML counts before the text, and what is attached is named", async () => {
  const markdown = await markdownOf(mixed, "message/rfc822");
  expect(markdown).toMatch(
    /## Notes\n\nSee \[the map\]\(https:\/\/map\.example\/\)\.\n\n\*A mill at dusk\*\n\n\*\*Attachments:\*\*\n\n- mill\.pdf \(application\/pdf, 2 KB\)$/,
  );
  expect(markdown).not.toMatch(/Plain|Preheader|x\(\)/);
});

test.each([
  ["application/octet-stream", "https://a.example/1.eml"],
  ["text/plain", "https://a.example/raw"],
  ["", "https://a.example/1"],
])("sent as %j from %s", async (contentType, url) => {
  expect(await markdownOf(mixed, contentType, url)).toContain("## Notes");
});

test("messages that are nested without end have an end", async () => {
  const parts = Array.from(
    { length: 500 },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
  );
  expect(await failureOf(lines(...head.slice(0, 5), parts.join("")), "message/rfc822")).toBe("broken");
  const messages = Array.from(
    { length: 200 },
    () => "From: a@a.example\r\nContent-Type: message/rfc822\r\n\r\n",
  ).join("");
  expect(await markdownOf(Buffer.from(`${messages}Subject: x\r\n\r\nDeep.`), "message/rfc822")).toContain(
    "a@a.example",
  );
  expect(await failureOf(Buffer.from(`X: ${"y".repeat(1_000_000)}\r\n\r\nx`), "message/rfc822")).toBe(
    "broken",
  );
});

test("more messages in a message than anybody sends are refused before they are read", async () => {
  const nested = (count: number) =>
    Buffer.from("From: a@a.example\r\nContent-Type: Message/RFC822\r\n\r\n".repeat(count));
  expect(await markdownOf(nested(1000), "message/rfc822")).toContain("a@a.example");
  expect(await failureOf(nested(1001), "message/rfc822")).toBe("broken");
});
