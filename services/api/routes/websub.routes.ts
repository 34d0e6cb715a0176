import { receiveDelivery, verifyIntent } from "../../contracts/websub.contract.ts";
import type { Route } from "../route.ts";

const common = { auth: "none", tag: "Operations", path: "/websub/{token}", hidden: true } as const;

/** What hubs call (W3C WebSub); nobody else knows a token, hence they are left out of the document. */
export const websubRoutes: Route[] = [
  {
    ...common,
    method: "GET",
    action: verifyIntent,
    status: 200,
    summary: "Verify a subscription",
    responses: { 200: { description: "The challenge.", type: "text/plain; charset=utf-8" } },
    errors: ["not_found"],
  },
  {
    ...common,
    method: "POST",
    action: receiveDelivery,
    raw: { headers: { signature: "x-hub-signature" } },
    status: 202,
    summary: "Distribute content",
    responses: { 202: { description: "Taken, or ignored." } },
    errors: ["expired"],
  },
];
