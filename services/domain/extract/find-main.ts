import { dropBoilerplate } from "./boilerplate.ts";
import { dropTeasers } from "./teasers.ts";
import { type Weight, weighTree } from "./text-weight.ts";
import { ElementNode, findElement, findElements, hasText, newElement, TextNode } from "./tree.ts";

type Weigh = (element: ElementNode) => Weight;

const bodyClass =
  /(?:^|[\s_-])(?:article-?body|post-?(?:content|body)|entry-?content|story-?body|article-?(?:content|text)|markdown-body|mw-parser-output|rich-?text|page-?content|main-?content|post-text|body-content)(?:$|[\s_-])/i;

/**
 * The main content of a cleaned body, with the page's title as its first heading. First what surrounds content goes by
 * name; then the page's own landmarks decide where they hold most of the text that is left; else the part that gathers
 * most prose does, scored as in Readability. Never nothing when the page has text.
 */
export function findMain(body: ElementNode, title: string): ElementNode {
  const before = weighTree(body);
  const whole = before(body).chars;
  const backup = [...body.childNodes];
  dropBoilerplate(body, before);
  const weigh = weighTree(body);
  if (weigh(body).chars < Math.min(200, whole / 10)) body.childNodes = backup;
  const main = landmark(body, weigh) ?? densest(body, weigh) ?? body;
  dropTeasers(main, weigh);
  return withTitle(hasText(main) ? main : body, body, title);
}

/** `main`, else a lone `article`, else an element named as an article's body. */
function landmark(body: ElementNode, weigh: Weigh): ElementNode | undefined {
  const total = weigh(body).chars;
  const main = heaviest(findElements(body, isMain), weigh);
  const scope = main !== undefined && weigh(main).chars > 0.3 * total ? main : body;
  const inScope = weigh(scope).chars;
  const named = heaviest(
    findElements(scope, element => bodyClass.test(labelOf(element))),
    weigh,
  );
  if (named !== undefined && isArticleLike(weigh(named)) && weigh(named).chars > 0.5 * inScope) return named;
  const article = heaviest(
    findElements(scope, ({ name }) => name === "article"),
    weigh,
  );
  if (article !== undefined && weigh(article).chars > 0.6 * inScope) return article;
  return scope === body ? undefined : scope;
}

function isMain(element: ElementNode): boolean {
  return element.name === "main" || element.getAttribute("role") === "main";
}

function isArticleLike({ chars, linkChars }: Weight): boolean {
  return chars > 500 && linkChars < 0.4 * chars;
}

function labelOf(element: ElementNode): string {
  return `${element.getAttribute("class")} ${element.getAttribute("id")} ${element.getAttribute("itemprop")}`;
}

function heaviest(elements: ElementNode[], weigh: Weigh): ElementNode | undefined {
  return elements.reduce<ElementNode | undefined>(
    (best, element) => (best === undefined || weigh(element).chars > weigh(best).chars ? element : best),
    undefined,
  );
}

/** Goes down from the body for as long as one child holds nearly all of the prose. */
function densest(body: ElementNode, weigh: Weigh): ElementNode | undefined {
  let at = body;
  for (;;) {
    const { proseChars, chars } = weigh(at);
    const measure =
      proseChars > 400
        ? (child: ElementNode) => weigh(child).proseChars / proseChars
        : (child: ElementNode) => weigh(child).chars / Math.max(1, chars);
    const limit = proseChars > 400 ? 0.85 : 0.9;
    const next = at.childNodes.find(
      (child): child is ElementNode => child instanceof ElementNode && measure(child) > limit,
    );
    if (next === undefined || next.name === "p" || next.name === "table" || next.name === "ul")
      return at === body ? undefined : at;
    at = next;
  }
}

/** The content, with the title before it as `h1` unless it has one that says the same. */
function withTitle(main: ElementNode, body: ElementNode, title: string): ElementNode {
  const own = findElement(main, ({ name }) => name === "h1");
  if (own !== undefined && own.textContent.trim() !== "") return main;
  const shown = findElement(body, ({ name }) => name === "h1")?.textContent.trim();
  const text = shown || title;
  if (text === "") return main;
  const heading = newElement("h1", {}, []);
  heading.childNodes.push(new TextNode(text, heading));
  return newElement("div", {}, [heading, main]);
}
