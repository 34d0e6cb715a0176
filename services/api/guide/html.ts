import { escapeHtml } from "../../../reader/text/escape-html.ts";
import { codeParts } from "../../domain/text/code-parts.ts";

/** Markup that needs no further escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | undefined | readonly Value[];

/** A template of HTML: strings are escaped, markup and lists of it go in as they are, false and undefined are nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, at) => part + (at < values.length ? markup(values[at]) : "")).join(""));
}

function markup(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(markup).join("") : escapeHtml(String(value));
}

/** Code in colours, as far as its language is known. */
export function colouredCode(text: string, language: string): Html {
  const parts = codeParts(text, language).map(([kind, part]) =>
    kind === "plain" ? part : html`<span class="code-${kind}">${part}</span>`,
  );
  return html`${parts}`;
}
