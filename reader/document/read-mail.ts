import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { escapeHtml } from "../text/escape-html.ts";
import { DocumentError } from "./broken-document.ts";
import { documentHtml } from "./document-html.ts";
import { embeddedHtml } from "./embedded-page.ts";

const limits = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 4 };
const maxAttachments = 200;
const maxAddresses = 200;
/** Messages in a message: each one more takes the parser longer by what is in it. */
const maxMessages = 1000;

/**
 * Reads a message (RFC 5322, MIME) as HTML: who wrote to whom, its text, and the names of what is attached. Throws when it
 * is nested too deep.
 */
export async function readMail(bytes: Uint8Array): Promise<string> {
  if (count(bytes, "message/rfc822") > maxMessages)
    throw new DocumentError("broken", "The message holds too many messages to be read.");
  const mail = await PostalMime.parse(bytes, limits);
  const created = isoDate(mail.date);
  const facts = {
    title: mail.subject?.trim(),
    author: mail.from && nameOf(mail.from),
    created,
  };
  const lines = [
    ["From", mail.from ? [mail.from] : []],
    ["To", mail.to ?? []],
    ["Cc", mail.cc ?? []],
  ] as const;
  const head = lines.flatMap(([name, addresses]) =>
    addresses.length === 0 ? [] : [`<strong>${name}:</strong> ${escapeHtml(addressesText(addresses))}`],
  );
  if (mail.date) head.push(`<strong>Date:</strong> ${escapeHtml(created ?? mail.date)}`);
  const title = facts.title ? `<h1>${escapeHtml(facts.title)}</h1>` : "";
  return documentHtml(
    facts,
    [title, `<p>${head.join("<br>")}</p>`, bodyOf(mail), attached(mail.attachments)].join("\n"),
  );
}

/** How often a word of Latin letters is there, in capitals or not. */
function count(bytes: Uint8Array, word: string): number {
  const text = new TextDecoder("latin1").decode(bytes);
  return text.match(new RegExp(word, "gi"))?.length ?? 0;
}

function isoDate(date: string | undefined): string | undefined {
  const time = Date.parse(date ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(".000", "");
}

function nameOf(address: Address): string {
  return address.name || address.address || "";
}

function addressesText(addresses: readonly Address[]): string {
  const flat = addresses.flatMap(address => address.group ?? [address]).slice(0, maxAddresses);
  return flat
    .map(({ name, address = "" }) => (name && address ? `${name} <${address}>` : name || address))
    .join(", ");
}

function bodyOf({ html, text }: Email): string {
  if (html !== undefined && html.trim() !== "") return embeddedHtml(html);
  return textHtml(text ?? "");
}

/** Plain text as paragraphs; lines of an answer that quote are a quotation. */
export function textHtml(text: string): string {
  const paragraphs = text.replaceAll("\r\n", "\n").split(/\n[ \t]*\n/);
  return paragraphs
    .filter(paragraph => paragraph.trim() !== "")
    .map(paragraph => {
      const lines = paragraph.trim().split("\n");
      const isQuoted = lines.every(line => line.startsWith(">"));
      const html = lines
        .map(line => escapeHtml(isQuoted ? line.replace(/^(?:> ?)+/, "") : line.trimEnd()))
        .join("<br>");
      return isQuoted ? `<blockquote><p>${html}</p></blockquote>` : `<p>${html}</p>`;
    })
    .join("\n");
}

/** The names of what is attached. Pictures that the text shows are not. */
function attached(attachments: readonly Attachment[]): string {
  const named = attachments.filter(({ related, filename }) => !related && filename);
  if (named.length === 0) return "";
  const items = named.slice(0, maxAttachments).map(({ filename, mimeType, content }) => {
    const size = typeof content === "string" ? content.length : content.byteLength;
    return `<li>${escapeHtml(filename ?? "")} (${escapeHtml(mimeType)}, ${sizeText(size)})</li>`;
  });
  return `<p><strong>Attachments:</strong></p>\n<ul>${items.join("")}</ul>`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
