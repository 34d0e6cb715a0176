import { type MailWay, notSent } from "../mail/mail-way.ts";
import { anyOwner } from "../sending/send.ts";
import type { FromThread, MainThread } from "./messages.ts";
import type { Port } from "./port.ts";

/** Sends mails by the main thread, which has the connection to the mail server. */
export function mailOfMain(main: Port<FromThread, MainThread>): Pick<MailWay, "deliver"> {
  let last = 0;
  return {
    deliver: async (target, events, within = anyOwner) => {
      if (!within.isHeld) return notSent;
      last += 1;
      const number = last;
      const exchange = { abort: () => main.post({ is: "abort", mail: number }) };
      within.began(exchange);
      try {
        return await main.ask("mail", number, target, events);
      } finally {
        within.ended(exchange);
      }
    },
  };
}
