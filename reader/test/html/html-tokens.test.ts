import { Tokenizer, TokenizerMode } from "parse5";
import { type Random, seeded } from "../../../test/faults/random.ts";
import { readTokens, type TextForm, type TokenOptions, type TokenSink } from "../../html/html-tokens.ts";
import { withLineFeeds } from "../../html/tag-scanner.ts";

/** The tokens of a document as text: `<a b="c">`, `</a>`, and what lies between. */
function tokens(
  html: string,
  { foreign = [], ...options }: TokenOptions & { foreign?: string[] } = {},
): string[] {
  const found: string[] = [];
  let isForeign = false;
  const sink: TokenSink = {
    text: (text, form) => addText(found, form === "blank" ? withLineFeeds(text) : text),
    startTag: (name, attributes, isSelfClosing) => {
      found.push(startTag(name, attributes, isSelfClosing));
      isForeign ||= foreign.includes(name);
      return !isForeign;
    },
    endTag: name => {
      found.push(`</${name}>`);
      if (foreign.includes(name)) isForeign = false;
    },
    isForeign: () => isForeign,
  };
  readTokens(html, sink, options);
  return found;
}

function addText(found: string[], text: string): void {
  const last = found.at(-1);
  if (last?.startsWith("#")) found[found.length - 1] = last + text;
  else found.push(`#${text}`);
}

function startTag(name: string, attributes: Iterable<[string, string]>, isSelfClosing: boolean): string {
  const written = Array.from(attributes, ([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `<${name}${written.join("")}${isSelfClosing ? " /" : ""}>`;
}

describe("tokens", () => {
  test.each<[string, string, string[]]>([
    ["text", "a &lt; b &amp c &notit; &#x80; &bogus;", ["#a < b & c ¬it; € &bogus;"]],
    ["a reference at the end", "a&lt", ["#a<"]],
    ["a lone bracket", "a < b <3 <> <", ["#a < b <3 <> <"]],
    ["names in any case", "<DIV></DiV>", ["<div>", "</div>"]],
    ["names of any letters", "<x-É></x-É>", ["<x-É>", "</x-É>"]],
    ["attributes", `<a b=c d='e "f' g="h 'i" j>`, ['<a b="c" d="e \\"f" g="h \'i" j="">']],
    ["attributes without a gap", `<a b="c"d='e'f>`, ['<a b="c" d="e" f="">']],
    ["attributes with solidi", "<a/b/c=d/e/>", ['<a b="" c="d/e/">']],
    ["a solidus on its own", "<a / b>", ['<a b="">']],
    ["names that begin with an equals sign", "<a =b=c ==d>", ['<a =b="c" =="d">']],
    ["names with quotes and brackets", `<a "b'c<d>`, [`<a "b'c<d="">`]],
    ["values that are missing", "<a b= >x", ['<a b="">', "#x"]],
    ["the first of equal attributes", "<a b=1 B=2>", ['<a b="1">']],
    ["references in attributes", `<a b="&lt;&ltx&lt=&amp">`, ['<a b="<&ltx&lt=&">']],
    ["brackets in values", `<a b="<p>">x`, ['<a b="<p>">', "#x"]],
    ["attributes of end tags", `<p>x</p a=">">y`, ["<p>", "#x", "</p>", "#y"]],
    ["tags that close themselves", "<br/><p/>x", ["<br />", "<p />", "#x"]],
    ["line ends", "a\r\nb\rc", ["#a\nb\nc"]],
    ["null in text", "a\0b", ["#ab"]],
    ["null in tags", "<p\0 a\0=\0>", ['<p\uFFFD a\uFFFD="\uFFFD">']],
    [
      "null and a reference far into a value",
      `<p a="${"x".repeat(300)}&lt;\0" b='${"y".repeat(300)}>"'>`,
      [`<p a="${"x".repeat(300)}<\uFFFD" b=${JSON.stringify(`${"y".repeat(300)}>"`)}>`],
    ],
    ["null in raw text", "<style>\0</style>", ["<style>", "#\uFFFD", "</style>"]],
  ])("%s", (_, html, wanted) => {
    expect(tokens(html)).toEqual(wanted);
  });

  test.each([
    ["a comment", "a<!-- <p> -- > -->b"],
    ["a comment that ends at once", "a<!-->b"],
    ["a comment that ends after a dash", "a<!--->b"],
    ["an empty comment", "a<!---->b"],
    ["a comment with an exclamation mark at its end", "a<!-- x --!>b"],
    ["a comment within a comment", "a<!-- <!-- x -->b"],
    ["a comment of dashes", "a<!------->b"],
    ["a doctype", "a<!doctype html>b"],
    ["a doctype cut off in its quotes", 'a<!DOCTYPE html PUBLIC "x>b'],
    ["a declaration", "a<!x y>b"],
    ["a declaration with one dash", "a<!-x>b"],
    ["an empty declaration", "a<!>b"],
    ["CDATA in HTML", "a<![CDATA[x>b"],
    ["a processing instruction", "a<?php echo 1; ?>b"],
    ["an end tag without a name", "a</>b"],
    ["an end tag that begins with a blank", "a</ p>b"],
    ["an end tag that begins with a digit", "a</3>b"],
  ])("no token comes from %s", (_, html) => {
    expect(tokens(html)).toEqual(["#ab"]);
  });

  test.each([
    ["an open comment", "a<!-- b"],
    ["an open comment that nearly ends", "a<!-- b --"],
    ["an open declaration", "a<!doctype html"],
    ["an open instruction", "a<?xml b"],
    ["a tag's name", "a<b"],
    ["a tag", "a<b c"],
    ["an attribute's value", "a<b c=d"],
    ["an attribute's quotes", 'a<b c="d>e'],
    ["a tag that closes itself", "a<b/"],
    ["an end tag", "a</b"],
  ])("the document ends in %s", (_, html) => {
    expect(tokens(html)).toEqual(["#a"]);
  });

  test("the document ends where a tag might begin", () => {
    expect(tokens("a<")).toEqual(["#a<"]);
    expect(tokens("a</")).toEqual(["#a</"]);
  });
});

describe("elements that hold text", () => {
  test.each<[string, string, string[]]>([
    ["a script", "<script>a<b></p>&lt;</script>x", ["<script>", "#a<b></p>&lt;", "</script>", "#x"]],
    [
      "a script that closes itself",
      '<script src="a.js"/><script>x</script><p>y',
      ['<script src="a.js" />', "#<script>x", "</script>", "<p>", "#y"],
    ],
    ["a style that closes itself", "<style/></style>x", ["<style />", "</style>", "#x"]],
    ["a script that ends with attributes", "<script>a</script b>c", ["<script>", "#a", "</script>", "#c"]],
    ["a script that ends with a solidus", "<script>a</script/>c", ["<script>", "#a", "</script>", "#c"]],
    [
      "what only begins like the end",
      "<script>a</scripts></script>",
      ["<script>", "#a</scripts>", "</script>"],
    ],
    ["a script in capitals", "<SCRIPT>a</Script>", ["<script>", "#a", "</script>"]],
    ["an escaped script", "<script><!-- </script> -->", ["<script>", "#<!-- ", "</script>", "# -->"]],
    [
      "a script in an escaped script",
      "<script><!--<script></script>a</script>b",
      ["<script>", "#<!--<script></script>a", "</script>", "#b"],
    ],
    [
      "an escape that ended",
      "<script><!--<script>--></script>b",
      ["<script>", "#<!--<script>-->", "</script>", "#b"],
    ],
    [
      "an escape that ends at once",
      "<script><!--><script></script>b",
      ["<script>", "#<!--><script>", "</script>", "#b"],
    ],
    ["a title", "<title>a&amp;<b></title>", ["<title>", "#a&<b>", "</title>"]],
    ["a text area", "<textarea/>&lt;</p></textarea>", ["<textarea />", "#<</p>", "</textarea>"]],
    ["a frame", "<iframe>&lt;<p></iframe>", ["<iframe>", "#&lt;<p>", "</iframe>"]],
    ["an example", "<xmp><p></xmp>", ["<xmp>", "#<p>", "</xmp>"]],
    ["no frames", "<noframes><p></noframes>", ["<noframes>", "#<p>", "</noframes>"]],
    ["plain text", "<plaintext><p></plaintext>", ["<plaintext>", "#<p></plaintext>"]],
    ["an element that does not end", "<style>a<p>", ["<style>", "#a<p>"]],
    ["no script", "<noscript><p></noscript>", ["<noscript>", "<p>", "</noscript>"]],
  ])("%s", (_, html, wanted) => {
    expect(tokens(html)).toEqual(wanted);
  });

  test("no script, where scripts run", () => {
    expect(tokens("<noscript><p></noscript>x", { scripting: true })).toEqual([
      "<noscript>",
      "#<p>",
      "</noscript>",
      "#x",
    ]);
  });

  test("foreign elements hold markup and CDATA", () => {
    const html = "<svg><style/><p><![CDATA[<b>]]></svg><![CDATA[x]]>";
    expect(tokens(html, { foreign: ["svg"] })).toEqual(["<svg>", "<style />", "<p>", "#<b>", "</svg>"]);
  });

  test("in XHTML an element may close itself, and CDATA is text", () => {
    expect(tokens("<script/><p><![CDATA[<b>]]>", { isXml: true })).toEqual(["<script />", "<p>", "#<b>"]);
    expect(tokens("<![CDATA[a", { isXml: true })).toEqual(["#a"]);
  });
});

describe("against parse5", () => {
  test.each([1, 2, 3])("random documents give the same tokens (seed %i)", seed => {
    const random = seeded(seed);
    for (let round = 0; round < 1000; round++) {
      const html = soup(random);
      expect({ html, tokens: tokens(html) }).toEqual({ html, tokens: expected(html) });
    }
  });
});

const pieces = [
  ..."<>/!?-=\"'& \n\t\f\0a1é",
  ..."<p <p> <P/> </p> <a b=c> <b c='d'e> <!-- --> --!> <!--> <!doctype <![CDATA[ ]]> <?x ?> </ &lt; &amp &not".split(
    " ",
  ),
  ..."<script> <script/> </script> </script <style> </style/> <title> </title> <textarea> </textarea >".split(
    " ",
  ),
  ..."<xmp> </xmp> <iframe> </iframe> <noembed> </noembed> <noframes> </noframes> <plaintext> <!--<script> \r\n \r".split(
    " ",
  ),
];

function soup(random: Random): string {
  const length = 1 + Math.floor(random() * 25);
  return Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
}

test.each<[string, TextForm]>([
  [" ", "blank"],
  [" \n\t ", "blank"],
  ["a", "even"],
  [" a b\u00a0 c ", "even"],
  ["a  b", "any"],
  ["a\nb", "any"],
  ["a\tb", "any"],
  ["a &amp; b", "any"],
  ["&#32;", "any"],
  ["a\0 b", "any"],
])("what is known of the text %j: %s", (text, wanted) => {
  const forms: TextForm[] = [];
  readTokens(`<p>${text}</p>`, {
    text: (_, form) => void forms.push(form),
    startTag: () => true,
    endTag: () => undefined,
    isForeign: () => false,
  });
  expect(forms).toEqual([wanted]);
});

const states: Record<string, number> = {
  script: TokenizerMode.SCRIPT_DATA,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
  ...Object.fromEntries(
    ["style", "xmp", "iframe", "noembed", "noframes"].map(name => [name, TokenizerMode.RAWTEXT]),
  ),
};

function expected(html: string): string[] {
  const found: string[] = [];
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
      onNullCharacter: () => undefined,
      onCharacter: ({ chars }) => addText(found, chars),
      onWhitespaceCharacter: ({ chars }) => addText(found, chars),
      onEndTag: ({ tagName }) => found.push(`</${tagName}>`),
      onStartTag: ({ tagName, attrs, selfClosing }) => {
        found.push(
          startTag(
            tagName,
            attrs.map(({ name, value }) => [name, value]),
            selfClosing,
          ),
        );
        const state = states[tagName];
        if (state !== undefined) tokenizer.state = state;
      },
    },
  );
  tokenizer.write(html, true);
  return found;
}
