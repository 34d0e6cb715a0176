import { type MailPurpose, mailPurposes } from "../../contracts/mail-links.contract.ts";
import { linkFollowed, linkPage } from "../mail/mail-pages.ts";
import type { Route } from "./route.ts";

const titles: Record<MailPurpose, string> = {
  confirm: "Confirm an address of mail",
  unsubscribe: "Unsubscribe an address of mail",
};

/** The links in mails. Only the owners of the addresses have the tokens, so the document leaves them out. */
export const mailRoutes: Route[] = mailPurposes.flatMap((purpose): Route[] => {
  const common = { auth: "none", tag: "Webhook", status: 200, hidden: true } as const;
  const path = `/mail/${purpose}/{token}`;
  const responses = { 200: { description: "A page.", type: "text/html; charset=utf-8" } };
  const errors: Route["errors"] = ["not_found"];
  const summary = titles[purpose];
  return [
    {
      ...common,
      name: `${purpose}Page`,
      method: "GET",
      path,
      action: linkPage(purpose),
      summary,
      responses,
      errors,
    },
    {
      ...common,
      name: `${purpose}Address`,
      method: "POST",
      path,
      action: linkFollowed(purpose),
      raw: { headers: {}, maxBytes: 16_384 },
      summary,
      responses,
      errors,
    },
  ];
});
