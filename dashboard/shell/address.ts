/*
 * The address holds the state of a page: the path names the page, the query has filters, cursor and acting key.
 *
 *   path.value            "/sources" (below /dashboard); a page that reads it renders again when it changes
 *   query("health")       a parameter of the query, "" where there is none
 *   link("/sources", { health: "failing" })   an address with the acting key kept, for href
 *   navigate("/sources")  goes there; setQuery({ health: "failing" }) changes the query of this page only
 *
 * Links are plain <a href=${link("/sources")}>. This module handles their clicks.
 */
import { computed, signal } from "@preact/signals";

const base = "/dashboard";

const address = signal(new URL(location.href));

/** The path below `/dashboard`, beginning with a slash and ending without one. */
export const path = computed(() => address.value.pathname.slice(base.length).replace(/\/+$/, "") || "/");

/** A parameter of the query, decoded. */
export function query(name: string): string {
  return address.value.searchParams.get(name) ?? "";
}

/** The cursors of the pages of a list that were shown before this one, oldest first. */
export function cursorsBefore(): string[] {
  const before: unknown = address.value && history.state?.before;
  return Array.isArray(before) ? before.filter(each => typeof each === "string") : [];
}

type Query = Record<string, string | null | undefined>;

/** Makes an address for `href`, with the acting key. */
export function link(to: string, parameters: Query = {}): string {
  const url = new URL(base + (to === "/" ? "" : to), location.origin);
  write(url, { key: query("key"), ...parameters });
  return url.pathname + url.search;
}

export function navigate(to: string, parameters: Query = {}): void {
  go(new URL(link(to, parameters), location.origin), {});
}

interface SetQuery {
  /** Whether the back button leads to the present address. It is false for a filter that changes while a person types. */
  keep?: boolean;
  before?: string[];
}

/** Changes parameters of the query; an empty or missing value removes one. */
export function setQuery(parameters: Query, { keep = false, before = [] }: SetQuery = {}): void {
  const url = new URL(location.href);
  write(url, parameters);
  if (url.href === location.href) return;
  if (keep) history.pushState({ before }, "", url);
  else history.replaceState({ before }, "", url);
  address.value = url;
}

function write(url: URL, parameters: Query): void {
  for (const [name, value] of Object.entries(parameters))
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
}

function go(url: URL, state: object): void {
  if (url.href === location.href) return;
  history.pushState(state, "", url);
  address.value = url;
}

/** Follows links and the back button without loading the page again. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    address.value = new URL(location.href);
  });
  document.addEventListener("click", event => {
    const anchor = (event.target as Element | null)?.closest?.("a");
    if (!anchor || !isPlainClick(event) || anchor.target || anchor.hasAttribute("download")) return;
    const url = new URL(anchor.href);
    if (url.origin !== location.origin || !isOurs(url) || url.hash) return;
    event.preventDefault();
    go(url, {});
  });
}

function isPlainClick(event: MouseEvent): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey && !defaultPrevented;
}

function isOurs({ pathname }: URL): boolean {
  return (pathname === base || pathname.startsWith(`${base}/`)) && !/\.[a-z]+$/.test(pathname);
}
