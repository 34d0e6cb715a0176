import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Mail } from "../../../mixins/mail/compose.ts";
import type { Mailer } from "../../../mixins/mail/mailer.ts";
import type { Receipt } from "../../../mixins/mail/smtp.ts";
import type { Blame } from "../../domain/delivery/apply-outcome.ts";
import { newsOf } from "../../domain/delivery/formats/news.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import { addressOf } from "../../domain/delivery/mail/address.ts";
import { mailContent } from "../../domain/delivery/mail/content.ts";
import { type Answer, anyOwner, type ExchangeOwner } from "../sending/send.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import type { MailLinks } from "./links.ts";

/** The endpoint that a mail is for. */
export type MailTarget = Pick<
  StoredEndpoint,
  "_id" | "webhookId" | "url" | "format" | "template" | "withdrawals"
>;

/** What one mail carries. */
export interface MailedEvents {
  /** Id of the event, the batch or the digest. */
  id: string;
  /** JSON of the events that it may show. */
  bodies: readonly string[];
  /** How many events it covers. */
  total: number;
}

/** Sends mails, and makes the links in them. */
export interface MailWay {
  links: MailLinks;
  /** Sends events as one mail. Never rejects. Nothing is sent when the lease is lost. */
  deliver(target: MailTarget, events: MailedEvents, within?: ExchangeOwner): Promise<Answer>;
  /** Asks the owner of the address whether events may be sent there. */
  askFor(target: MailTarget & { name: string | null }, id: string, signal: AbortSignal): Promise<Answer>;
  /** Sends nothing more; what is under way may end. */
  close(): void;
}

export function openMailWay(
  mailer: Mailer,
  links: MailLinks,
  logger: { warn(...line: unknown[]): void },
): MailWay {
  const send = async (...sent: Parameters<Mailer["send"]>): Promise<Answer> => {
    const receipt = await mailer.send(...sent);
    if (receipt.result === "refused" && receipt.stage === "session")
      logEvent(logger, "mail_server.refused", receipt);
    return answerOf(receipt);
  };
  return {
    links,
    deliver: async (target, events, within = anyOwner) => {
      const stop = new AbortController();
      const exchange = { abort: () => stop.abort(new Error("The exchange was aborted")) };
      if (!within.isHeld) return notSent;
      within.began(exchange);
      try {
        const mail = mailOf(links, target, events, Date.now());
        return await send(mail, keyOf(target._id), stop.signal);
      } finally {
        within.ended(exchange);
      }
    },
    askFor: (target, id, signal) =>
      send(questionOf(links, target, id, Date.now()), keyOf(target._id), signal),
    close: () => mailer.close(),
  };
}

/** The answer for a mail that no server was asked to take. */
export const notSent: Answer = {
  status: null,
  error: "connection",
  retryAfter: undefined,
  text: "",
  blame: "nobody",
};

function mailOf(
  links: MailLinks,
  target: MailTarget,
  { id, bodies, total }: MailedEvents,
  now: number,
): Mail {
  const unsubscribeUrl = links.linkTo("unsubscribe", target, now);
  const content = mailContent({
    news: bodies.map(newsOf),
    total,
    template: target.template ?? null,
    isPlain: target.format === "text",
    publicUrl: links.publicUrl,
    unsubscribeUrl,
  });
  return {
    ...content,
    to: addressOf(target.url),
    // Several endpoints of a key may have one address: each mail is one of its endpoint.
    id: `${id}.${target.webhookId}`,
    // Unsubscribing takes a single click (RFC 8058): the POST of a program for mail needs no page.
    headers: {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

function questionOf(
  links: MailLinks,
  target: MailTarget & { name: string | null },
  id: string,
  now: number,
): Mail {
  const link = links.linkTo("confirm", target, now);
  const text = [
    `Somebody wants to send what is new on their sources to ${addressOf(target.url)}, through ${links.publicUrl}.`,
    `To agree, open this page within seven days and press its button:\n${link}`,
    "If you do not know of this, do nothing: no further mail comes.",
  ].join("\n\n");
  return { to: addressOf(target.url), subject: "Confirm your address", text: `${text}\n`, id };
}

/** An SMTP exchange as an attempt: its code in the place of a status. */
function answerOf(receipt: Receipt): Answer {
  if (receipt.result === "unsent") return { ...notSent, error: receipt.reason };
  const { code: status } = receipt;
  // What the server says before it has the address concerns the operator: it may name the account or a network.
  const isOfOperator = receipt.result === "refused" && receipt.stage === "session";
  const text = isOfOperator ? "" : receipt.text;
  if (receipt.result === "accepted") return { status, error: null, retryAfter: undefined, text };
  return { status, error: "smtp", retryAfter: undefined, text, blame: blameOf(receipt) };
}

/**
 * A 4xx passes (RFC 5321, 4.2.1), and what the server says before it has the address is the operator's. Of a refused
 * recipient X.2 is a mailbox that is full or closed for now, X.7 a policy (RFC 3463); anything else means that there is
 * none.
 */
function blameOf({ isFinal, stage, code, text }: Receipt & { result: "refused" }): Blame {
  if (!isFinal || stage === "session") return "nobody";
  if (stage === "content") return "event";
  return [550, 551, 553].includes(code) && !/^\d{3}[ -]5\.[27]\./.test(text) ? "gone" : "endpoint";
}
