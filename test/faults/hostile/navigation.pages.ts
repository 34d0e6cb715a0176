import { type HostilePages, marked, scripted } from "./site.ts";

const blankHost = "http://a b/";

/** Pages that go elsewhere, open windows and dialogs, or will not be left. */
export const navigationPages: HostilePages = {
  "iframe-blank-host": { "/": marked(`<iframe src="${blankHost}"></iframe>`) },
  "location-blank-host": { "/": scripted(`location.href = "${blankHost}"`) },
  "form-blank-host": { "/": scripted("f.submit()", `<form id=f action="${blankHost}"></form>`) },
  "refresh-blank-host": { "/": marked(`<meta http-equiv=refresh content="0;url=${blankHost}">`) },
  "redirect-loop": {
    "/": { status: 302, headers: { location: "again" } },
    "/again": { status: 302, headers: { location: "./" } },
  },
  "script-redirect-loop": {
    "/": scripted("location.href = './?' + Math.random()"),
  },
  "refresh-loop": { "/": marked('<meta http-equiv=refresh content="0">') },
  "data-and-blob": {
    "/": scripted(`
      const html = "<h1>inner</h1><script>for(;;) history.pushState(0, '', '#' + Math.random())<\\/script>";
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
      location.href = "data:text/html," + encodeURIComponent(html);`),
  },
  "local-schemes": {
    "/": scripted(
      `for (const url of ["file:///etc/passwd", "chrome://gpu", "view-source:http://127.0.0.1/", "devtools://devtools/bundled/inspector.html"]) {
        try { open(url) } catch (error) { console.log(error) }
        try { location.href = url } catch (error) { console.log(error) }
      }`,
      '<iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe><object data="file:///etc/passwd"></object>',
    ),
  },
  popups: {
    "/": scripted(
      "setInterval(() => { for (let n = 0; n < 20; n += 1) open('./other?' + Math.random(), '_blank') }, 5)",
    ),
    "/other": scripted("setInterval(() => open('./other?' + Math.random()), 5)"),
  },
  opener: {
    "/": scripted(
      `const other = open("./other", "twin"); setInterval(() => { a.click(); other && (other.location = "./other?" + Math.random()); window.name = "x".repeat(1e6) }, 5)`,
      '<a id=a href="./other" target=twin rel=opener>other</a>',
    ),
    "/other": scripted(
      "setInterval(() => { if (opener) opener.location.hash = Math.random(); open('./', 'twin') }, 5)",
    ),
  },
  "history-flood": {
    "/": scripted(`setInterval(() => {
      for (let n = 0; n < 1000; n += 1) { history.pushState({ n }, "", "#" + Math.random()); console.log("x".repeat(10000), n) }
    }, 0)`),
  },
  "hash-and-fetch-flood": {
    "/": scripted(`setInterval(() => {
      location.hash = Math.random();
      for (let n = 0; n < 100; n += 1) fetch("./answer?" + Math.random()).catch(() => {});
    }, 5)`),
    "/answer": "answer",
  },
  dialogs: { "/": scripted("for (;;) { alert('a'); confirm('b'); prompt('c') }") },
  "before-unload": {
    "/": scripted(`
      addEventListener("beforeunload", event => { event.preventDefault(); event.returnValue = "stay"; for (const end = Date.now() + 5000; Date.now() < end;); });
      addEventListener("pagehide", () => { for (const end = Date.now() + 5000; Date.now() < end;); });
      addEventListener("unload", () => { for (;;); });
      setInterval(() => { location.href = "./?" + Math.random() }, 50)`),
  },
  print: { "/": scripted("for (let n = 0; n < 1e5; n += 1) print(); setInterval(() => print(), 1)") },
  downloads: {
    "/": scripted(
      "setInterval(() => { a.click(); location.href = './file?' + Math.random() }, 5)",
      '<a id=a href="./file" download="../../escaped.bin">file</a><iframe src="./file"></iframe>',
    ),
    "/file": {
      headers: {
        "content-type": "application/octet-stream",
        "content-disposition": 'attachment; filename="../../escaped.bin"',
      },
      body: "leaked ".repeat(1e5),
    },
  },
  "sandboxed-frames": {
    "/": marked(
      '<iframe sandbox="allow-scripts allow-popups allow-modals allow-top-navigation allow-same-origin" src="./inner"></iframe>'.repeat(
        50,
      ),
    ),
    "/inner": scripted(
      "setInterval(() => { open('./inner'); alert(1); try { top.location = './?' + Math.random() } catch { parent.postMessage('x'.repeat(1e6), '*') } }, 1)",
    ),
  },
};
