import { oneLine } from "../../services/domain/text/one-line.ts";
import type { MailConfig } from "../config/config.ts";

/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The body as HTML; without it the mail is plain text. */
  html?: string | undefined;
  /** What is before the @ of its Message-ID: the same for the same mail, so that a second copy is known as one. */
  id: string;
  headers?: Record<string, string>;
}

/** The message as it is sent (RFC 5322): what a header cannot hold is encoded, and no value adds a header. */
export async function compose(
  { to, subject, text, html, id, headers = {} }: Mail,
  from: MailConfig["from"],
): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    from,
    to: { name: "", address: to },
    subject: oneLine(subject),
    text: inLines(text),
    ...(html !== undefined && { html: inLines(html) }),
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
    headers: { "Auto-Submitted": "auto-generated", ...headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}

/** Bare line feeds or carriage returns must not occur in a mail (RFC 5322, 2.3). */
function inLines(text: string): string {
  return text.toWellFormed().replace(/\r\n|[\r\n]/g, "\r\n");
}
