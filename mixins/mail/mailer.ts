import { withTimeout } from "../async/timeout.ts";
import type { MailConfig } from "../config/config.ts";
import { compose, type Mail } from "./compose.ts";
import { MailPlaces } from "./mail-places.ts";
import { exchange, type Receipt, serverOf, unsent } from "./smtp.ts";

/** Sends mails for several groups, such as keys. */
export interface Mailer {
  /** Sends a mail in one exchange with the server. Never rejects. The signal ends it; then it is unknown whether the mail went out. */
  send(mail: Mail, group: string, signal: AbortSignal): Promise<Receipt>;
  /** Mails that wait are not sent; those under way may end. */
  close(): void;
}

/** Milliseconds of one exchange: servers may greet late and look at a mail before they take it. */
const exchangeMs = 30_000;
/** Milliseconds that an exchange still has when the process stops. */
const closingMs = 5_000;

interface MailerOptions extends Pick<MailConfig, "url" | "from"> {
  /** Milliseconds of one exchange. */
  exchangeMs?: number;
}

/** Over SMTP (RFC 5321), with a connection for each mail. Nodemailer is loaded with the first one. */
export function smtpMailer({ url, from, exchangeMs: limitMs = exchangeMs }: MailerOptions): Mailer {
  const places = new MailPlaces();
  const closing = new AbortController();
  const ending = new AbortController();
  const server = serverOf(url);
  return {
    async send(mail, group, signal) {
      try {
        const waiting = AbortSignal.any([signal, closing.signal]);
        return await places.run(group, waiting, async () => {
          const message = await compose(mail, from);
          const envelope = { from: from.address, to: [mail.to] };
          const running = AbortSignal.any([signal, ending.signal]);
          return await withTimeout(limitMs, running, within => exchange(server, envelope, message, within));
        });
      } catch (error) {
        return unsent(error);
      }
    },
    close() {
      closing.abort(new Error("The process stops"));
      setTimeout(() => ending.abort(new Error("The process stops")), closingMs).unref();
    },
  };
}
