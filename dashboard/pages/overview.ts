/* The overview of the service, of an owner or of a key, depending on the signed-in person. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import type { Page } from "../shell/page.ts";
import { hasKey, role } from "../shell/session.ts";
import { KeyOverview } from "./overview-of-key.ts";
import { OwnerOverview } from "./overview-of-owner.ts";
import { ServiceOverview } from "./overview-of-service.ts";

function Overview(): VNode {
  if (hasKey.value) return html`<${KeyOverview} />`;
  return role.value === "admin" ? html`<${ServiceOverview} />` : html`<${OwnerOverview} />`;
}

export const overviewPage: Page = {
  path: "/",
  title: "Overview",
  section: "home",
  roles: ["admin", "owner", "key"],
  view: Overview,
};
