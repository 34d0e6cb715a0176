/* The frame of every page: the navigation, the acting key and the signed-in person. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { toast } from "../parts/toast.ts";
import { ActingKey } from "./acting-key.ts";
import { link, path } from "./address.ts";
import { remove } from "./client.ts";
import type { Page, Section } from "./page.ts";
import { hasEnded, role, session } from "./session.ts";
import { type Theme, theme } from "./theme.ts";

interface FrameProps {
  pages: Page[];
  children?: ComponentChildren;
}

export function Frame({ pages, children }: FrameProps): VNode {
  const isOpen = useSignal(false);
  useEffect(() => {
    isOpen.value = false;
  }, [path.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") isOpen.value = false;
  };
  return html`<a class="skip" href="#content" onClick=${skip}>Skip to the content</a>
    <div class="frame">
      <header class="side" onKeyDown=${onKeyDown}>
        <div class="side-top">
          <${Brand} />
          <button type="button" class="menu-button" aria-expanded=${isOpen.value} aria-controls="menu"
            onClick=${() => {
              isOpen.value = !isOpen.value;
            }}>Menu</button>
        </div>
        <div id="menu" class="menu ${isOpen.value ? "is-open" : ""}">
          <${Navigation} pages=${pages} />
          <${Account} />
        </div>
      </header>
      <main id="content" tabindex="-1">${children}</main>
    </div>`;
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

export function Brand(): VNode {
  return html`<a class="brand" href=${link("/")}>
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="7" class="brand-ground" />
      <path d="M7 24V9.5L16 18l9-8.5V24" class="brand-mark" /></svg>Magpie</a>`;
}

const sections: [Section, string][] = [
  ["home", ""],
  ["watch", "Watch"],
  ["deliver", "Deliver"],
  ["read", "Read"],
];

function Navigation({ pages }: { pages: Page[] }): VNode {
  return html`<nav aria-label="Pages">
    ${sections.map(([section, title]) => {
      const entries = pages.filter(page => page.section === section);
      if (entries.length === 0) return null;
      return html`<div key=${section} class="menu-section">
        ${section === "watch" && role.value !== "key" && html`<${ActingKey} />`}
        ${title && html`<h2 class="menu-title" id="menu-${section}">${title}</h2>`}
        <ul aria-labelledby=${title ? `menu-${section}` : undefined}>
          ${entries.map(
            page => html`<li key=${page.path}><a href=${link(page.path)}
              aria-current=${isWithin(page.path) ? "page" : undefined}>${page.title}</a></li>`,
          )}
        </ul>
      </div>`;
    })}
  </nav>`;
}

function isWithin(pagePath: string): boolean {
  return path.value === pagePath || (pagePath !== "/" && path.value.startsWith(`${pagePath}/`));
}

function Account(): VNode {
  const { role: who, owner, key } = session.value ?? { role: "key", owner: null, key: null };
  const name = who === "admin" ? "Administrator" : who === "owner" ? owner : key?.name;
  const signOut = async () => {
    try {
      await remove("/session");
      hasEnded.value = false;
      session.value = null;
    } catch (error) {
      toast.failed(error);
    }
  };
  return html`<div class="account">
    <p class="account-name"><span class="faint">Signed in as</span><br /><strong class="breaks">${name}</strong></p>
    <div class="account-actions">
      ${who === "owner" && html`<a href=${link("/password")}>Change password</a>`}
      <button type="button" class="link" onClick=${signOut}>Sign out</button>
    </div>
    <${ThemeChoice} />
  </div>`;
}

const themes: [Theme, string][] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

function ThemeChoice(): VNode {
  return html`<label class="theme"><span>Theme</span>
    <select value=${theme.value} onChange=${(event: Event) => {
      theme.value = (event.currentTarget as HTMLSelectElement).value as Theme;
    }}>
      ${themes.map(([value, name]) => html`<option key=${value} value=${value} selected=${theme.value === value}>${name}</option>`)}
    </select></label>`;
}
