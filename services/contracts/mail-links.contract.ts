import { action, repeatable } from "./action.ts";
import { type Infer, named, nothing, rule, text } from "./schema.ts";

/** What the owner of an address may do by a link in a mail. */
export const mailPurposes = ["confirm", "unsubscribe"] as const;
export type MailPurpose = (typeof mailPurposes)[number];

const state = named("MailLinkState", {
  address: text,
  done: { type: "boolean", description: "The link has been followed before." },
});
export type MailLinkState = Infer<typeof state>;

const params = {
  purpose: { type: "enum", values: mailPurposes },
  token: rule({ type: "string", min: 1, max: 2048 }),
} as const;
const result = { type: "multi", rules: [state, nothing] } as const;

/** What a link is about; null where it leads nowhere, or nowhere any more. Not published. */
export const readMailLink = repeatable("webhook-dispatcher.readMailLink", { params, result });

/** Confirms the address or unsubscribes it. Not published. */
export const followMailLink = action("webhook-dispatcher.followMailLink", { params, result });
