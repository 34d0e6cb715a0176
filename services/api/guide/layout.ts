import { type Html, html } from "./html.ts";

/** Nothing comes from elsewhere, no script or style is inline, and no script writes HTML. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

export const htmlType = "text/html; charset=utf-8";

export interface Frame {
  title: string;
  description: string;
  /** What the page is a part of. */
  part?: "guide" | "reference";
  hasDashboard: boolean;
  /** What the search field holds. */
  words?: string;
  /** Other forms of the page. */
  links?: Html;
  /** Buttons of the bar that show on small screens what wide ones show beside the text. */
  menus?: Html;
  body: Html;
}

/** A page of `/` or the guide: the bar with the ways on, and the body. */
export function page({
  title,
  description,
  part,
  hasDashboard,
  words = "",
  links,
  menus,
  body,
}: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/tokens.css">
<link rel="stylesheet" href="/assets/guide.css">
<script src="/assets/first-paint.js"></script>
<script src="/assets/guide.js" type="module"></script>
${links}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="24" height="24">Magpie</a>
<nav class="ways" aria-label="Magpie">${hasDashboard && html`<a href="/dashboard">Dashboard</a>`}<a href="/guide"${part === "guide" && html` aria-current="true"`}>Guide</a><a href="/docs"${part === "reference" && html` aria-current="true"`}>API</a></nav>
<form class="search" role="search" action="/guide" method="get">
<label class="unseen" for="q">Search the guide</label>
<input id="q" name="q" type="search" value="${words}" placeholder="Search the guide" maxlength="200" autocomplete="off" spellcheck="false">
</form>
${menus}</header>
${body}
</body>
</html>
`.text;
}
