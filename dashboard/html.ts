/*
 * Templates: html`<p class="note">${text}</p>`, html`<${Table} rows=${rows} />`. A value becomes text or a property, never
 * markup. Templates are not type-checked, so what they need is worked out in typed functions beside them.
 */
import htm from "htm";
import { h, type VNode } from "preact";

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

// The types of the package are those of its CommonJS entry; a browser reads the other one.
export const html = (htm as unknown as { bind(create: typeof h): Template }).bind(h);
