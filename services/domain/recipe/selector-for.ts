/** A position among more than these is no way to name a thing, and costs the square of their number to look up. */
const maxTwins = 200;

/**
 * A short selector whose first match below `root` is the element: id, test id or class where they look written by
 * people, then the same below an ancestor, and positions last.
 */
export function selectorFor(element: Element, root: Element): string | undefined {
  if (element === root) return ":scope";
  return (
    firstThat(element, root, selector => root.querySelector(selector) === element) ??
    byPosition(element, root)
  );
}

/** A selector that matches these elements below `root` and no others. */
export function selectorForAll(elements: Element[], root: Element, shared: string[]): string | undefined {
  const first = elements[0];
  if (!first) return undefined;
  const matches = (selector: string) => {
    const found = root.querySelectorAll(selector);
    return found.length === elements.length && found[0] === first;
  };
  const telling = shared.find(own => /[.#[]/.test(own) && matches(own));
  if (telling !== undefined) return telling;
  for (const ancestor of ancestorsOf(first, root))
    for (const name of namesOf(ancestor))
      for (const own of shared)
        for (const joint of [" > ", " "]) if (matches(name + joint + own)) return name + joint + own;
  const parent = first.parentElement;
  const path = parent && parent !== root ? byPosition(parent, root) : undefined;
  const placed = path === undefined ? [] : shared.map(own => `${path} > ${own}`);
  return [...placed, ...shared].find(matches);
}

function firstThat(element: Element, root: Element, test: (selector: string) => boolean): string | undefined {
  const own = namesOf(element);
  const plain = own.find(test);
  if (plain !== undefined) return plain;
  for (const ancestor of ancestorsOf(element, root))
    for (const name of namesOf(ancestor).slice(0, 2))
      for (const part of own) if (test(`${name} ${part}`)) return `${name} ${part}`;
  return undefined;
}

/** Only the nearest few: a longer path breaks sooner than it helps. */
function ancestorsOf(element: Element, root: Element): Element[] {
  const found: Element[] = [];
  let at = element.parentElement;
  while (at && at !== root && found.length < 4) {
    found.push(at);
    at = at.parentElement;
  }
  return found;
}

/** Selectors that fit an element by itself, the most telling first; its bare tag last. */
export function namesOf(element: Element): string[] {
  const tag = element.localName;
  const id = element.getAttribute("id") ?? "";
  const tests = ["data-testid", "data-test", "data-qa", "itemprop"].flatMap(name => {
    const value = element.getAttribute(name) ?? "";
    return isStable(value) ? `[${name}="${value}"]` : [];
  });
  const classes = classesOf(element);
  return [
    ...(isStable(id) ? [`#${id}`] : []),
    ...tests,
    ...classes.map(name => `.${name}`),
    ...classes.map(name => `${tag}.${name}`),
    ...(classes.length > 1 ? [classes.map(name => `.${name}`).join("")] : []),
    tag,
  ];
}

export function classesOf(element: Element): string[] {
  return (element.getAttribute("class") ?? "").split(/\s+/).filter(isStable).slice(0, 6);
}

/** Names of build tools (`css-1q2w3e`, `_3xK2p`), record numbers and layout (`col-sm-4`) change and say nothing. */
export function isStable(name: string): boolean {
  if (!/^[A-Za-z][\w-]{1,60}$/.test(name) || /^(css|sc|jsx|svelte|emotion|ng|ember|react|js)-/.test(name))
    return false;
  if (/\d{3,}/.test(name) || /^(col|offset|order|w|[gmp][trblxy]?)(-[a-z]+)*-\d+$/.test(name)) return false;
  return name.split(/[-_]+/).every(part => !looksHashed(part));
}

function looksHashed(part: string): boolean {
  if (part.length < 5) return false;
  const switches = part.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
  return (
    switches > 1 ||
    /[bcdfghjklmnpqrstvwxz]{6,}/i.test(part) ||
    /[a-z][A-Z][a-z]?[A-Z]|[A-Z]{2,}[a-z]+[A-Z]/.test(part)
  );
}

function byPosition(element: Element, root: Element): string | undefined {
  const steps: string[] = [];
  let at: Element | null = element;
  while (at && at !== root && steps.length < 12) {
    const tag: string = at.localName;
    const twins: Element[] = [...(at.parentElement?.children ?? [])].filter(child => child.localName === tag);
    if (twins.length > maxTwins) return undefined;
    steps.unshift(twins.length > 1 ? `${tag}:nth-of-type(${twins.indexOf(at) + 1})` : tag);
    const selector = steps.join(" > ");
    if (root.querySelector(selector) === element) return selector;
    at = at.parentElement;
  }
  return undefined;
}
