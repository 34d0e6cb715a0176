import { canScriptsRun } from "../../page/has-live-script.ts";

const url = "https://site.example/a/";
const isBlocked = (src: string): boolean => src.startsWith("https://ads.example/");

describe("scripts that could change the page", () => {
  test.each([
    ["an inline script", "<script>go()</script>"],
    ["an external script", '<script src="/app.js"></script>'],
    ["a module", '<script type="module" src="m.js"></script>'],
    ["an old type", '<script type="text/javascript">go()</script>'],
    ["an old language", '<script language="JavaScript">go()</script>'],
    ["a script in a drawing", "<svg><script>go()</script></svg>"],
    ["a load handler", '<body onload="go()">'],
    ["an error handler", '<img src="x" onerror="go()">'],
    ["a script frame", '<iframe src=" javascript:go()"></iframe>'],
    ["a refresh", '<meta http-equiv="Refresh" content="0; url=/b">'],
    ["a focused field", '<input autofocus onfocus="go()">'],
    ["an unfinished script", "<script>go()"],
    ["a script after a template", "<template><p></template><script>go()</script>"],
  ])("%s", (_, html) => {
    expect(canScriptsRun(html, url, isBlocked)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["plain markup", "<p>a</p><custom-element>b</custom-element>"],
    ["JSON-LD", '<script type="application/ld+json">{"a":1}</script>'],
    ["data", '<script type="application/json">{}</script><script type="importmap">{}</script>'],
    ["speculation rules", '<script type="speculationrules">{}</script>'],
    [
      "a template",
      '<script type="text/template"><b></b></script><script type="text/x-handlebars">x</script>',
    ],
    ["a script in a template", "<template><script>go()</script></template>"],
    ["an empty script", "<script> \n</script>"],
    ["a script for old browsers", '<script nomodule src="/old.js"></script>'],
    [
      "blocked scripts",
      '<script src="https://ads.example/a.js" onload="x()"></script><script src="//ads.example/b.js"></script>',
    ],
    ["a click handler", '<a onclick="go()">a</a>'],
    ["a frame", '<iframe src="/f.html"></iframe>'],
    ["a comment", "<!-- <script>go()</script> -->"],
    ["an attribute", '<p title="<script>go()</script>">a</p>'],
    ["what is for readers without scripts", '<noscript><meta http-equiv="refresh" content="0"></noscript>'],
  ])("none in %s", (_, html) => {
    expect(canScriptsRun(html, url, isBlocked)).toBe(false);
  });
});
