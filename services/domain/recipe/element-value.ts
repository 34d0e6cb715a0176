import type { Raw } from "./coerce.ts";
import type { Field } from "./recipe.ts";
import { textOf } from "./text-of.ts";

/** Attributes that hold an address, by what an element is wanted for. */
const linkAttributes = ["href", "src", "data-src", "content", "data-href", "poster"];

/** What an element states: the named attribute, an address, a machine-readable date, or its text. */
export function elementValue(element: Element, field: Field): Raw {
  if (field.attribute !== undefined) return fromAttribute(element, field.attribute);
  if (field.format === "uri") return { value: addressOf(element) };
  if (field.format === "date" || field.format === "date-time") return { value: dateOf(element) };
  if (field.format === "email") return { value: element.getAttribute("href") ?? textOf(element) };
  const stated = statedBy(element);
  return stated === undefined ? { value: textOf(element) } : stated;
}

/** `srcset` and the like are lists; an address is its first part. */
function fromAttribute(element: Element, name: string): Raw {
  const value = element.getAttribute(name) ?? undefined;
  return { value: name.endsWith("srcset") ? value?.trim().split(/[\s,]/)[0] : value, machine: true };
}

function addressOf(element: Element): string | undefined {
  const own = attributeOf(element);
  if (own !== undefined) return own;
  const inner = element.querySelector("a[href], img[src], img[data-src], source[src]");
  return (
    (inner && attributeOf(inner)) ?? (element.closest("a[href]")?.getAttribute("href") || textOf(element))
  );
}

/** A data: image is a placeholder of lazy loading; the address is in another attribute then. */
function attributeOf(element: Element): string | undefined {
  return linkAttributes
    .map(name => element.getAttribute(name))
    .find((value): value is string => value !== null && value !== "" && !value.startsWith("data:"));
}

function dateOf(element: Element): string {
  const dated = element.hasAttribute("datetime") ? element : element.querySelector("time[datetime]");
  return dated?.getAttribute("datetime") ?? element.getAttribute("content") ?? textOf(element);
}

function statedBy(element: Element): Raw | undefined {
  const { localName } = element;
  if (localName === "meta" || localName === "data")
    return { value: element.getAttribute("content") ?? element.getAttribute("value"), machine: true };
  if (localName === "input") return { value: element.getAttribute("value") };
  if (localName === "img") return { value: element.getAttribute("alt") };
  return undefined;
}
