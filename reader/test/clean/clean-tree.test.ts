import { extractPage } from "../../page/extract-page.ts";

const url = "https://site.example/dir/page";

function markdown(html: string): string | undefined {
  return extractPage(
    { html: `<p>Before.</p>${html}`, url },
    { formats: ["markdown"], onlyMainContent: false },
  ).markdown?.replace(/^Before\.(?:\n\n)?/, "");
}

type Pair = readonly [name: string, html: string, markdown: string];

const note = "[^1]: The text.";

const notes: Pair[] = [
  [
    "of Pandoc",
    '<p>Oak<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>The text.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
    `Oak[^1]\n\n***\n\n${note}`,
  ],
  [
    "of kramdown",
    '<p>Oak<sup id="fnref:1"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup></p><div class="footnotes"><ol><li id="fn:1"><p>The text. <a href="#fnref:1" class="reversefootnote">&#8617;</a></p></li></ol></div>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "of Sphinx",
    '<p>Oak<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>The text.</p></aside>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "of Word",
    '<p>Oak<a href="#_ftn1" name="_ftnref1">[1]</a></p><p><a href="#_ftnref1" name="_ftn1">[1]</a> The text.</p>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "of MediaWiki, one of them cited twice",
    '<p>Oak<sup id="cite_ref-a_1-0" class="reference"><a href="#cite_note-a-1">[1]</a></sup> ash<sup id="cite_ref-a_1-1" class="reference"><a href="#cite_note-a-1">[1]</a></sup></p><ol class="references"><li id="cite_note-a-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-a_1-0"><sup><b>a</b></sup></a> <a href="#cite_ref-a_1-1"><sup><b>b</b></sup></a></span> <span class="reference-text">The text.</span></li></ol>',
    `Oak[^1] ash[^1]\n\n${note}`,
  ],
  [
    "with brackets outside of the link",
    '<p>Oak<sup>[<a href="#n1" id="r1">1</a>]</sup></p><p id="n1">[<a href="#r1">1</a>] The text.</p>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "with marks that cannot be labels",
    '<p>Oak<sup><a href="#n1" id="r1">*</a></sup></p><p id="n1"><a href="#r1">*</a> The text.</p>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "only marked as notes",
    '<p>Oak<sup><a href="#n1" class="footnote-ref">1</a></sup></p><ol class="footnotes"><li id="n1">The text.</li></ol>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "of pulldown-cmark, which do not link back",
    '<p>Oak<sup class="footnote-reference"><a href="#x">1</a></sup></p><div class="footnote-definition" id="x"><sup class="footnote-definition-label">1</sup><p>The text.</p></div>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "that begin with their number",
    '<p>Oak<sup><a href="#n1" id="r1">1</a></sup></p><ul><li id="n1">1. The text. <a href="#r1">↑</a></li></ul>',
    `Oak[^1]\n\n${note}`,
  ],
  [
    "that have the same mark in two chapters",
    '<p>Oak<sup><a href="#a" id="ra">1</a></sup></p><p id="a">One.<a href="#ra">^</a></p><p>Ash<sup><a href="#b" id="rb">1</a></sup></p><p id="b">Two.<a href="#rb">^</a></p>',
    "Oak[^1]\n\n[^1]: One.\n\nAsh[^2]\n\n[^2]: Two.",
  ],
];

const noNotes: Pair[] = [
  [
    "a table of contents that its headings link back to",
    '<ul><li><a href="#a" id="id1">One</a></li></ul><section id="a"><h2><a href="#id1">One</a></h2><p>Oak.</p></section>',
    "- [One](https://site.example/dir/page#a)\n\n## One\n\nOak.",
  ],
  [
    "an entry of the contents that is marked as a reference",
    '<ul><li><a class="reference internal" href="#a" id="id1">Oak</a></li></ul><div id="a"><a href="#id1">Oak</a> Ash.</div>',
    "- [Oak](https://site.example/dir/page#a)\n\n[Oak](https://site.example/dir/page#id1) Ash.",
  ],
  [
    "a link to what is hidden",
    '<p>Oak<sup><a href="#n" id="r">1</a></sup></p><div hidden><p id="n">Ash.<a href="#r">^</a></p></div>',
    "Oak<sup>[1](https://site.example/dir/page#n)</sup>",
  ],
  [
    "one of several targets in a paragraph",
    '<p>Oak<sup><a href="#fn1">1</a></sup></p><p>One.<a name="fn1"></a> Two.</p>',
    "Oak<sup>[1](https://site.example/dir/page#fn1)</sup>\n\nOne. Two.",
  ],
  [
    "a raised link to another part of the page",
    '<p>Oak<sup><a href="#more">1</a></sup></p><div id="more">Ash.</div>',
    "Oak<sup>[1](https://site.example/dir/page#more)</sup>\n\nAsh.",
  ],
];

const formulas: Pair[] = [
  [
    "of Sphinx and Pandoc, which a script has yet to draw",
    '<p>a <span class="math notranslate">\\(x^2\\)</span> b</p><div class="math">\\[y = z\\]</div><p>c <span class="math display">\\[w\\]</span></p>',
    "a $x^2$ b\n\n$$\ny = z\n$$\n\nc\n\n$$\nw\n$$",
  ],
  ["of LaTeXML", '<p>a <math alttext="x+1" display="inline"><mi>x</mi></math></p>', "a $x+1$"],
  [
    "of MathJax 2 without its script",
    '<p>a <span class="MathJax" data-mathml="&lt;math&gt;&lt;msqrt&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;/msqrt&gt;&lt;/math&gt;"><nobr aria-hidden="true">x</nobr></span></p>',
    "a $\\sqrt{x}$",
  ],
  ["of MathJax 2 before its script has run", '<p>a <script type="math/tex">x^2</script> b</p>', "a $x^2$ b"],
  [
    "of MathML in a block of its own",
    '<p>a</p><math display="block"><mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable><mo>]</mo></mrow></math>',
    "a\n\n$$\n\\begin{bmatrix} 1 & 2 \\end{bmatrix}\n$$",
  ],
  ["that break the rules of MathML", "<p>a <math><mfrac><mi>b</mi></mfrac></math> c</p>", "a b c"],
  [
    "in a table",
    '<table><tr><th>a<th>b<tr><td><math><semantics><mi>x</mi><annotation encoding="application/x-tex">|x|</annotation></semantics></math><td>c</table>',
    "| a | b |\n| --- | --- |\n| $\\|x\\|$ | c |",
  ],
  [
    "with accents and functions",
    "<p>a <math><mover><mi>v</mi><mo>→</mo></mover><mo>+</mo><mi>cos</mi><mi>x</mi><mtext>sin</mtext></math></p>",
    "a $\\vec{v} + \\cos x \\text{sin}$",
  ],
  [
    "in an attribute",
    '<p>a <span class="math-inline" data-math="x^2"><span class="katex"><span class="katex-html" aria-hidden="true">x2</span></span></span></p>',
    "a $x^2$",
  ],
  ["in several lines", '<p>a <script type="math/tex">x\n  + y</script></p>', "a $x + y$"],
  ["that are empty", '<p>a <math></math><script type="math/tex"> </script>b</p>', "a b"],
  ["in name only", '<p>a <span class="math">maths</span></p>', "a maths"],
];

const hidden: Pair[] = [
  ["a panel of tabs", '<div role="tabpanel" hidden><p>Oak.</p></div>', "Oak."],
  [
    "what a control names",
    '<span role="button" aria-controls="x">Show</span><p id="x" hidden>Oak.</p>',
    "Show\n\nOak.",
  ],
  ["an answer, by its class", '<div class="faq__answer" style="display:none">Oak.</div>', "Oak."],
  ["part of an accordion", '<div class="CardAccordion-body" aria-hidden="true">Oak.</div>', "Oak."],
  ["details", "<details><summary>Tree</summary>Oak.</details>", "**Tree**\n\nOak."],
];

const stillHidden: Pair[] = [
  ["hidden for no reason that the page shows", "<p hidden>Oak.</p>", ""],
  ["a dialog", '<button aria-controls="x">Open</button><div id="x" role="dialog" hidden>Oak.</div>', ""],
  [
    "a menu of a control",
    '<b aria-controls="x" aria-haspopup="true">M</b><ul id="x" hidden><li>Oak.</ul>',
    "**M**",
  ],
  ["a panel in the page's menu", '<nav>Oak. <div class="accordion" hidden>Ash.</div></nav>', "Oak."],
  ["a panel of links", '<div class="accordion" hidden><a href="/a">Oak</a> <a href="/b">Ash</a></div>', ""],
  ["a cart", '<div class="cart-panel" hidden>Empty.</div>', ""],
  ["what is hidden in a panel", '<div role="tabpanel" hidden>Oak.<p hidden>Ash.</p></div>', "Oak."],
];

const listings: Pair[] = [
  [
    "of a repository",
    '<table class="highlight"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">saw()</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">sand()</td></tr></table>',
    "```\nsaw()\nsand()\n```",
  ],
  [
    "of SyntaxHighlighter",
    '<table><tr><td class="gutter"><div class="line">1</div><div class="line">2</div></td><td class="code"><div class="container"><div class="line"><code>saw()</code></div><div class="line"><code>sand()</code></div></div></td></tr></table>',
    "```\nsaw()\nsand()\n```",
  ],
  [
    "with the name of a file",
    '<table><tr><th colspan="2" class="filename"><span>saw.py</span></th></tr><tr><td class="linenos"><pre>1</pre></td><td class="code"><pre>saw()</pre></td></tr></table>',
    "saw.py\n\n```\nsaw()\n```",
  ],
  ["in inline code", "<p>x</p><code><pre>saw()\nsand()</pre></code>", "x\n\n```\nsaw()\nsand()\n```"],
  [
    "but no table of numbers",
    '<table><tr><th>No</th><th>Tree</th></tr><tr><td class="num">1</td><td class="code">Oak</td></tr></table>',
    "| No | Tree |\n| --- | --- |\n| 1 | Oak |",
  ],
];

const shadows: Pair[] = [
  [
    "with a slot that nothing fills",
    '<x-a><template shadowrootmode="open"><p><slot name="a">Oak.</slot></p></template></x-a>',
    "Oak.",
  ],
  [
    "in another",
    '<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="open"><p>Oak.</p><slot></slot></template><slot></slot></x-b></template><p>Ash.</p></x-a>',
    "Oak.\n\nAsh.",
  ],
  [
    "without a slot hides its host's content",
    '<x-a><template shadowrootmode="open">Oak.</template>Ash.</x-a>',
    "Oak.",
  ],
];

const emphasis: Pair[] = [
  ["text beside blocks", "<b>Oak<p>Ash</p>Elm</b>", "**Oak**\n\n**Ash**\n\n**Elm**"],
  ["items", "<b><ul><li>Oak</li><li>Ash</li></ul></b>", "- **Oak**\n- **Ash**"],
  ["headings are bold without it", "<b><h2>Oak</h2></b>", "## Oak"],
  ["in emphasis of the same kind", "<p><b>Oak <strong>and</strong> ash</b></p>", "**Oak and ash**"],
  ["of two kinds", "<em><b><p>Oak</p></b></em>", "_**Oak**_"],
];

describe.each([
  ["notes are found", notes],
  ["is no note", noNotes],
  ["formulas are TeX", formulas],
  ["hidden content that can be opened is read", hidden],
  ["other hidden content is not read", stillHidden],
  ["code has no line numbers", listings],
  ["a shadow tree is read", shadows],
  ["emphasis around blocks", emphasis],
] as const)("%s", (_, pairs) => {
  test.each(pairs)("%s", (_name, html, wanted) => {
    expect(markdown(html)).toBe(wanted);
  });
});
