/*
 * What the pages of `/` and `/guide` gain where scripts run: buttons that copy code, results as one types, the section that
 * one reads, and `/` as the key of the search field. Without it the pages work.
 */

interface Hit {
  title: string;
  heading: string;
  url: string;
  excerpt: { text: string; match: boolean }[];
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const isCopied = await copy(block.querySelector("code")?.textContent?.trimEnd() ?? "");
      button.textContent = isCopied ? "Copied" : "Select and copy";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    block.append(button);
  }
}

/** Pages on plain http have no clipboard but on loopback. */
async function copy(text: string): Promise<boolean> {
  return (
    navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    ) ?? false
  );
}

function searchAsOneTypes(field: HTMLInputElement, form: HTMLElement): void {
  const panel = document.createElement("div");
  panel.className = "found";
  panel.hidden = true;
  const says = document.createElement("p");
  says.setAttribute("role", "status");
  const list = document.createElement("ol");
  panel.append(says, list);
  form.append(panel);
  let asked = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    asked.abort();
    asked = new AbortController();
    const words = field.value.trim();
    panel.hidden = words === "";
    if (words === "") return;
    const hits = await find(words, asked.signal);
    if (!hits) return;
    says.textContent = hits.length === 0 ? "Nothing holds these words." : `${hits.length} found`;
    list.replaceChildren(...hits.slice(0, 8).map(itemOf));
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  });
  form.addEventListener("keydown", event => moveIn(panel, field, event));
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) panel.hidden = true;
  });
  field.addEventListener("focus", () => {
    panel.hidden = field.value.trim() === "" || list.childElementCount === 0;
  });
}

/** The places that hold the words; undefined when a later question overtook this one, or the service is away. */
async function find(words: string, signal: AbortSignal): Promise<Hit[] | undefined> {
  try {
    const response = await window.fetch(`/guide?q=${encodeURIComponent(words)}`, {
      headers: { accept: "application/json" },
      signal,
    });
    return response.ok ? (await response.json()).data : undefined;
  } catch (error) {
    if (!signal.aborted) console.info("the guide was not searched", error);
    return undefined;
  }
}

function itemOf({ title, heading, url, excerpt }: Hit): HTMLElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = url;
  const name = document.createElement("strong");
  name.textContent = heading === "" ? title : `${title} › ${heading}`;
  const text = document.createElement("span");
  for (const piece of excerpt) {
    const part = document.createElement(piece.match ? "mark" : "span");
    part.textContent = piece.text;
    text.append(part);
  }
  link.append(name, text);
  item.append(link);
  return item;
}

/** Arrows move among the results, Escape closes them. */
function moveIn(panel: HTMLElement, field: HTMLInputElement, event: KeyboardEvent): void {
  if (event.key === "Escape") {
    field.focus();
    panel.hidden = true;
  }
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || panel.hidden) return;
  event.preventDefault();
  const stops = [field, ...panel.querySelectorAll<HTMLElement>("a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[(at + step + stops.length) % stops.length]?.focus();
}

/** Marks the section that is in sight in the list of the page's sections. */
function followSections(list: HTMLElement): void {
  const links = new Map(
    [...list.querySelectorAll<HTMLAnchorElement>("a")].map(link => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  const headings = [...document.querySelectorAll<HTMLElement>("main h2[id], main h3[id]")];
  const mark = () => {
    const current = headings.findLast(heading => heading.getBoundingClientRect().top < 120) ?? headings[0];
    for (const [id, link] of links)
      if (id === current?.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
  // A menu that covers the page closes once its reader has chosen.
  list.addEventListener("click", event => {
    if (event.target instanceof HTMLAnchorElement && list.matches(":popover-open")) list.hidePopover();
  });
}

const field = document.querySelector<HTMLInputElement>("#q");
const form = document.querySelector<HTMLElement>(".search");
const contents = document.querySelector<HTMLElement>("#contents");
addCopyButtons();
if (field && form) {
  searchAsOneTypes(field, form);
  addEventListener("keydown", event => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
if (contents) followSections(contents);
