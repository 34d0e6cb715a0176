import { call } from "../../contracts/action.ts";
import { fail } from "../../contracts/errors.ts";
import { followMailLink, type MailPurpose, readMailLink } from "../../contracts/mail-links.contract.ts";
import { type Html, html } from "../guide/html.ts";
import { htmlType, page, pagePolicy } from "../guide/layout.ts";
import { hasDashboard } from "../home/ways.ts";
import type { AnswerContext, OwnAnswer, OwnReply } from "../routes/route.ts";

const token = { type: "string", min: 1, max: 2048, description: "Of the link in a mail." } as const;

const words: Record<MailPurpose, { title: string; ask: string; button: string; done: string }> = {
  confirm: {
    title: "Confirm your address",
    ask: "Shall news be sent to this address?",
    button: "Yes, send news here",
    done: "This address is confirmed. News will be sent here; each mail has a link that ends it.",
  },
  unsubscribe: {
    title: "Unsubscribe",
    ask: "Shall no more news be sent to this address?",
    button: "Yes, send nothing more",
    done: "Nothing more is sent to this address.",
  },
};

/** Shows what a link in a mail is for, with a button. It changes nothing: programs that check mails open links. */
export function linkPage(purpose: MailPurpose): OwnAnswer {
  return {
    kind: "own",
    params: { $$strict: true, token },
    async answer(context, params, { $ctx }) {
      const state = await call($ctx ?? context.broker, readMailLink, {
        purpose,
        token: String(params.token),
      });
      if (!state) throw unknown();
      return pageOf(context, purpose, state.address, state.done);
    },
  };
}

/** Does what the link is for: the button's, and that of a program for mail with one click (RFC 8058). */
export function linkFollowed(purpose: MailPurpose): OwnAnswer {
  return {
    kind: "own",
    params: { $$strict: true, token, body: { type: "string", empty: true } },
    async answer(context, params, { $ctx }) {
      const link = { purpose, token: String(params.token) };
      const state = await call($ctx ?? context.broker, followMailLink, link);
      if (!state) throw unknown();
      return pageOf(context, purpose, state.address, true);
    },
  };
}

function unknown(): Error {
  return fail(
    "not_found",
    "This link leads nowhere any more: it is too old, or the address was changed or removed.",
  );
}

function pageOf(context: AnswerContext, purpose: MailPurpose, address: string, isDone: boolean): OwnReply {
  const { title, ask, button, done } = words[purpose];
  const step: Html = isDone
    ? html`<p role="status">${done}</p>`
    : html`<form method="post"><p>${ask}</p><p><button type="submit">${button}</button></p></form>`;
  const body = html`<main id="main" class="front">
<h1>${title}</h1>
<p class="lead">${address}</p>
${step}
</main>`;
  const headers = {
    "content-security-policy": pagePolicy,
    // The address of this page is a secret.
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
  };
  const frame = { title, description: ask, hasDashboard: hasDashboard(context), body };
  return { type: htmlType, headers, body: page(frame) };
}
