import type { BenchDocument } from "./bench-document.ts";

/** Kinds of documents that are text with a notation. */
export const textDocuments: BenchDocument[] = [
  {
    name: "RTF with styles, signs, a table and a link",
    extension: "rtf",
    make: async () =>
      bytes(
        String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times;}}{\colortbl;\red0\green0\blue0;}{\info{\title Mills}{\author Ann Lind}}`,
        String.raw`\pard\b The old\b0  m\'fchle of \u26449?.\par`,
        String.raw`\pard See {\field{\*\fldinst{HYPERLINK "https://mill.example/"}}{\fldrslt the site}}.\par`,
        String.raw`\trowd\cellx2000\cellx4000\intbl Town\cell People\cell\row\trowd\cellx2000\cellx4000\intbl Upford\cell 1200\cell\row\pard}`,
      ),
    facts: [
      /\*\*The old\*\* mühle of 村\./,
      /See \[the site\]\(https:\/\/mill\.example\/?\)\./,
      /^\| ?Upford ?\| ?1200 ?\|$/m,
    ],
    absent: [/fonttbl|Times;/],
  },
  {
    name: "EML with HTML, an encoded subject and an attachment",
    extension: "eml",
    make: async () =>
      bytes(
        "From: Ann Lind <ann@mill.example>",
        "To: Bo Kahn <bo@mill.example>",
        "Subject: =?utf-8?B?R3LDvMOfZSB2b20gSMO8Z2Vs?=",
        "Date: Sat, 31 Jan 2026 12:00:00 +0100",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="m"',
        "",
        "--m",
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "<p>The wheel <b>turns</b> at 8=C2=A0km an hour.</p><ul><li>Bring oil</li></ul>",
        "--m",
        'Content-Type: application/pdf; name="plan.pdf"',
        'Content-Disposition: attachment; filename="plan.pdf"',
        "Content-Transfer-Encoding: base64",
        "",
        "JVBERi0xLjQK",
        "--m--",
        "",
      ),
    facts: [
      "Grüße vom Hügel",
      /The wheel \*\*turns\*\* at 8\s?km an hour\./,
      /^[-*] Bring oil$/m,
      "plan.pdf",
    ],
    absent: [/JVBERi0/],
  },
  {
    name: "IPYNB with text, code and an output",
    extension: "ipynb",
    make: async () =>
      bytes(
        JSON.stringify({
          nbformat: 4,
          nbformat_minor: 5,
          metadata: { kernelspec: { name: "python3", language: "python", display_name: "Python 3" } },
          cells: [
            { cell_type: "markdown", metadata: {}, source: ["# Flow\n", "\n", "By month."] },
            {
              ...{ cell_type: "code", metadata: {}, execution_count: 1, source: ["print(6 * 7)"] },
              outputs: [{ output_type: "stream", name: "stdout", text: ["42\n"] }],
            },
          ],
        }),
      ),
    facts: [/^# Flow$/m, /^```python\nprint\(6 \* 7\)\n```$/m, /^42$/m],
  },
  {
    name: "CSV with commas and lines in quoted cells",
    extension: "csv",
    make: async () => bytes("Town,Note", '"Upford, north","Old\nmill"', "Rill,a|b"),
    facts: [
      /^\| ?Town ?\| ?Note ?\|$/m,
      /^\| ?Upford, north ?\| ?Old[^|\n]*mill ?\|$/m,
      /^\| ?Rill ?\| ?a\\\|b ?\|$/m,
    ],
  },
];

function bytes(...lines: string[]): Uint8Array {
  return Buffer.from(lines.join("\r\n"));
}
