/*
 * How a page is read that does not show at once what is watched: the fields of a group that few watches need.
 *
 *   html`<${AwkwardPages} aim=${aim} isPage />`     a site has the first ones alone
 */
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import type { Aim } from "./aim.ts";
import { Choice, Group, Line, Lines } from "./aim-controls.ts";

interface Props {
  aim: Signal<Aim>;
  isPage?: boolean;
}

export function AwkwardPages({ aim, isPage = false }: Props): VNode {
  const { waitFor, waitMs, proxy, actions, session, method, body, jsonPath, xpath } = aim.value;
  const chosen = [waitFor, waitMs, proxy, actions, session, method, body, jsonPath, xpath];
  return html`<${Group} title=${isPage ? "Awkward pages and APIs" : "Awkward pages"} isOpen=${chosen.some(Boolean)}>
    <${Line} aim=${aim} of="waitFor" label="Wait for" placeholder=".price" hint="A CSS selector that a browser waits for before the page is read." />
    <div class="aim-row">
      <${Line} aim=${aim} of="waitMs" label="And milliseconds" placeholder="3000" />
      <${Line} aim=${aim} of="proxy" label="Asked for from" placeholder="DE" hint="A country with a proxy, by its two letters." />
      ${isPage && html`<${Line} aim=${aim} of="session" label="Session" placeholder="shop" hint="The name of one that is signed in." />`}
    </div>
    ${isPage && html`<${OfPages} aim=${aim} />`}
  <//>`;
}

function OfPages({ aim }: { aim: Signal<Aim> }): VNode {
  return html`
    <${Lines} aim=${aim} of="actions" label="Do first, as JSON" placeholder='[{"type":"click","selector":"#more"}]'
      hint="Actions in the page before each reading, as a scrape takes them. What is typed is stored encrypted." />
    <${Lines} aim=${aim} of="jsonPath" label="Values of JSON" placeholder="$.items[*].price" hint="JSONPaths, one a line, in place of the text." />
    <${Lines} aim=${aim} of="xpath" label="Values of XML" placeholder="//Version" hint="XPath, one a line, in place of the text." />
    <${Choice} aim=${aim} of="method" label="Asked for by" options=${[["", "GET"], ["POST", "POST"]]} />
    <${Lines} aim=${aim} of="body" label="Body of the POST" placeholder='{"query":"lamps"}' hint="A JSON object, or the text of a form. Sent only to this site, and stored encrypted." />`;
}
