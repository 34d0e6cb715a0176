/*
 * The definition of a page. The file of a page exports it, and `pages.ts` lists all of them:
 *
 *   export const sourcesPage: Page = {
 *     path: "/sources",                 below /dashboard; "/crawls/:id" gives the view `id` as a property
 *     title: "Sources",                 in the navigation and the browser's tab
 *     section: "watch",                 of the navigation; without one the page is only linked to
 *     roles: ["admin", "owner", "key"], who may see it
 *     asKey: ["owner"],                 who has to choose a key first: its endpoints answer only as a key
 *     view: Sources,
 *   };
 *
 * A view begins with html`<${Head} title="Sources" lead="…">buttons<//>`: its heading has the focus after a change of page.
 */
import type { ComponentChildren, ComponentType, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { html } from "../html.ts";
import { path } from "./address.ts";
import type { Role } from "./session.ts";

export type Section = "home" | "watch" | "deliver" | "read";

export interface Page {
  path: string;
  title: string;
  section?: Section;
  roles: Role[];
  asKey?: Role[];
  /** A component whose properties are the parameters of the path. */
  view: ComponentType<never>;
}

interface HeadProps {
  title: ComponentChildren;
  /** A sentence below the title. */
  lead?: ComponentChildren;
  /** The buttons of the page. */
  children?: ComponentChildren;
}

let focusedFor: string | undefined;

/** The title of the next page takes the focus, though the address is the same: somebody has signed in. */
export function focusNext(): void {
  focusedFor = "";
}

/** The head of a page. After a change of page its title takes the focus, so that screen readers read it. */
export function Head({ title, lead, children }: HeadProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focusedFor !== undefined && focusedFor !== path.value) heading.current?.focus();
    focusedFor = path.value;
  }, []);
  return html`<header class="head">
    <div><h1 ref=${heading} tabindex="-1">${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
    ${children && html`<div class="head-actions">${children}</div>`}
  </header>`;
}
