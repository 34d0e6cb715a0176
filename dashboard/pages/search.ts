/* The search in what the sources of a key have said. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Head, type Page } from "../shell/page.ts";
import { Passages } from "../source/passages.ts";
import { SearchBox } from "../source/search-box.ts";

function Search(): VNode {
  return html`<${Head} title="Search the past" lead="What the sources of this key have said, in versions and events that are kept." />
    <${SearchBox} label="Words" />
    <${Passages} />`;
}

export const searchPage: Page = {
  path: "/search",
  title: "Search the past",
  section: "watch",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: Search,
};
