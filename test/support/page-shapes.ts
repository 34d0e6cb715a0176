/** Pages of one shape each, of which a reader that is not linear takes the square of their length. `size` in bytes, about. */
export type Shape = (size: number) => string;

/** So many pieces as fill the size. */
const of = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length));
const fill =
  (piece: string, before = "<p>x", after = ""): Shape =>
  size =>
    before + of(piece, size) + after;
/** Pieces that differ by their number. */
const numbered = (piece: (n: number) => string, size: number) =>
  Array.from({ length: Math.ceil(size / piece(100_000).length) }, (_, n) => piece(n)).join("");

export const flatText: Shape = fill("<p>Some words of an ordinary text.</p>");

export const shapes: Record<string, Shape> = {
  "nested div": fill("<div>"),
  "nested div with text": fill("<div>x "),
  "nested div, closed": size => of("<div>", size / 2) + of("</div>", size / 2),
  "nested inline": fill("<b>x"),
  "nested links": fill("<a href=/x>x"),
  "nested lists": fill("<ul><li>x"),
  "nested quotes": fill("<blockquote>x"),
  "nested tables": fill("<table><tr><td>x"),
  "nested gutters": fill("<span class=ln>1", "<pre>", "x"),
  "tags of many names": size => numbered(n => `<x${n}>`, size),
  "end tags of nothing": fill("</b></q></a>", "<div>".repeat(190)),
  "misnested tags": fill("<b><div>x</b></div>"),
  siblings: fill("<div></div>"),
  "line breaks": fill("x<br>"),
  "list items": fill("<li>x", "<ul>"),
  "table cells": fill("<td>x", "<table><tr>"),
  "table rows": fill("<tr><td>x<td>y", "<table>"),
  "code lines": fill("<span class=line>x</span>", "<pre>", "</pre>"),
  "images for readers without scripts": fill("x<noscript><img src=/i.png></noscript>", "<img src=/i.png>"),
  "the same after a large block": size =>
    `<div>${of("<i>x</i>", size / 2)}<img src=/i.png></div>${of("<noscript><img src=/i.png></noscript>", size / 2)}`,
  "many attributes": size => `<p ${numbered(n => ` a${n}=b`, size)}>x`,
  "a long attribute": size => `<p title="${of("x &amp; ", size)}">x`,
  "a long class": size => `<div class="${of("x-y  ", size)}">x</div>`,
  "a long address": size => `<a href="/${of("a(.", size)}">x</a>`,
  "a long title": size => `<a href="/x" title="x${of("  ", size)}y">x</a>`,
  "one long text": fill("Some words of a text. "),
  "one long word": fill("abcdefgh"),
  spaces: fill("  ", "<p>a", "b"),
  "spaces in a link": fill("\u00a0", "<a href=/x>a", "b</a>"),
  "spaces in a heading": fill("\u00a0", "<h2>a", "b</h2>"),
  "spaces in a cell": fill("\u00a0", "<table><tr><td>a<td>b", "c"),
  "empty lines of code": fill("\n", "<pre>a", "b</pre>"),
  "lines of code": fill("x\n", "<pre>", "</pre>"),
  "marks to be escaped": fill("*_[]`~"),
  entities: fill("&#120;&amp;"),
  comments: fill("<!-- c -->"),
  "a comment that never ends": fill("<!-- c "),
  "tags that never end": fill("<script "),
  "attributes that never end": fill("<a b='"),
  scripts: fill("<script type=x>1</script>"),
  "drawings with blocks": fill("<svg><g><div>x"),
};
