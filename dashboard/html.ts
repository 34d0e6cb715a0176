/*
 * Templates: html`<p class="note">${text}</p>`, html`<${Table} rows=${rows} />`. A value becomes text or a property, never
 * markup. Templates are not type-checked, so typed functions beside them compute their values.
 */
import htm from "htm";
import { h, type VNode } from "preact";

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

// The package has types for its CommonJS entry only, and a browser reads the other one.
export const html = (htm as unknown as { bind(create: typeof h): Template }).bind(h);
