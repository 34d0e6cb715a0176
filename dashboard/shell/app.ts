/* The root: it shows the sign-in form or, once a person is signed in, the page of the address. */
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { SignIn } from "../pages/sign-in.ts";
import { Welcome } from "../pages/welcome.ts";
import { pages } from "../pages.ts";
import { Waiting } from "../parts/state.ts";
import { Toasts } from "../parts/toast.ts";
import { ChooseFirst } from "./acting-key.ts";
import { link, path, query } from "./address.ts";
import { Frame } from "./frame.ts";
import { Head, type Page } from "./page.ts";
import { parametersOf } from "./path-pattern.ts";
import { actingKey, hasKey, role, session } from "./session.ts";

export function App(): VNode {
  return html`<${Body} /><${Toasts} />`;
}

function Body(): VNode {
  if (path.value === "/welcome") return html`<${Welcome} />`;
  if (session.value === undefined) return html`<div class="gate"><${Waiting} lines=${3} /></div>`;
  if (session.value === null) return html`<${SignIn} />`;
  return html`<${Frame} pages=${pages.filter(isAllowed)}><${Current} /><//>`;
}

function isAllowed({ roles }: Page): boolean {
  return role.value !== undefined && roles.includes(role.value);
}

/** The page of the address. A change of the acting key renders it anew, because it shows other data. */
function Current(): VNode {
  const found = pages
    .filter(isAllowed)
    .map(page => ({ page, parameters: parametersOf(page.path, path.value) }))
    .find(({ parameters }) => parameters !== undefined);
  const title = found?.page.title ?? "Not found";
  useEffect(() => {
    document.title = `${title} · Magpie`;
    scrollTo(0, 0);
  }, [path.value, title]);
  if (!found) return html`<${Missing} />`;
  const { page, parameters } = found;
  // Adding something needs a key.
  const isOfKey = role.value && (page.asKey?.includes(role.value) || (page.asKey && query("add") !== ""));
  const mustChoose = isOfKey && !hasKey.value;
  if (mustChoose) return html`<${ChooseFirst} key=${page.path} title=${page.title} />`;
  return html`<${page.view} key=${`${path.value} ${actingKey.value}`} ...${parameters} />`;
}

function Missing(): VNode {
  return html`<${Head} title="There is no such page" />
    <p>It may be one that only the administrator or an owner can see. <a href=${link("/")}>To the overview</a></p>`;
}
