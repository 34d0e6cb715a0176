import { type HostilePages, marked, scripted } from "./site.ts";

const worker = (script: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])))`;
/** `(module (memory 1) (func (export "spin") (loop br 0)))`, by hand. */
const spinningModule =
  "new Uint8Array([0,97,115,109,1,0,0,0, 1,4,1,96,0,0, 3,2,1,0, 7,8,1,4,115,112,105,110,0,0, 10,9,1,7,0,3,64,12,0,11,11])";

/** Pages that burn processor time and memory. */
export const loadPages: HostilePages = {
  "endless-loop": { "/": scripted("for (;;);") },
  "late-endless-loop": {
    "/": scripted("addEventListener('load', () => setTimeout(() => { for (;;); }, 300))"),
  },
  "microtask-loop": { "/": scripted("const again = () => Promise.resolve().then(again); again()") },
  "hundred-workers": { "/": scripted(`for (let n = 0; n < 100; n += 1) ${worker("for(;;);")}`) },
  "worker-memory": {
    "/": scripted(
      `for (let n = 0; n < 20; n += 1) ${worker("const a=[];for(;;)a.push(new Uint8Array(1e7).fill(1))")}`,
    ),
  },
  "typed-arrays": {
    "/": scripted("const all = []; setInterval(() => all.push(new Uint8Array(6.4e7).fill(1)), 0)"),
  },
  strings: {
    "/": scripted(
      "const all = []; setInterval(() => { for (let n = 0; n < 1e4; n += 1) all.push({ n, text: 'text ' + Math.random() }) }, 0)",
    ),
  },
  "wasm-loop": {
    "/": scripted(
      `WebAssembly.instantiate(${spinningModule}).then(({ instance }) => instance.exports.spin())`,
    ),
  },
  "wasm-memory": {
    "/": scripted(
      "const all = []; setInterval(() => { const memory = new WebAssembly.Memory({ initial: 16000 }); new Uint8Array(memory.buffer).fill(1); all.push(memory) }, 10)",
    ),
  },
  "atomics-wait": {
    "/": {
      headers: {
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
      },
      body: scripted(`for (let n = 0; n < 50; n += 1) ${worker("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)")};
        const shared = new Int32Array(new SharedArrayBuffer(1e9)); while (Atomics.load(shared, 0) === 0);`),
    },
  },
  regex: { "/": scripted("/^(a+)+$/.test('a'.repeat(40) + 'b')") },
  "json-parse": {
    "/": scripted(
      "const text = '[' + '{\"a\":[1,2,3]},'.repeat(3e6) + '0]'; setInterval(() => { window.kept = JSON.parse(text) }, 0)",
    ),
  },
  debugger: { "/": scripted("setInterval(() => { debugger }, 1); for (;;) { debugger }") },
  "channels-of-a-service-worker": {
    "/": scripted("navigator.serviceWorker.register('worker.js')"),
    "/worker.js": {
      headers: { "content-type": "text/javascript" },
      body: "setInterval(() => { for (let n = 0; n < 100; n += 1) new BroadcastChannel('c').postMessage(1) }, 1)",
    },
  },
  "message-storm": {
    "/": scripted(
      "onmessage = ({ data }) => { postMessage(data, '*'); postMessage(data, '*') }; postMessage('x'.repeat(1e5), '*'); const { port1, port2 } = new MessageChannel(); port1.onmessage = () => port2.postMessage(1); port2.onmessage = () => port1.postMessage(1); port1.postMessage(1)",
    ),
  },
  "mutation-loop": {
    "/": scripted(
      "new MutationObserver(() => document.body.append(document.createElement('p'))).observe(document.body, { childList: true }); document.body.append('x')",
    ),
  },
  "endless-text": {
    "/": scripted(
      "setInterval(() => { for (let n = 0; n < 2000; n += 1) document.body.append('more text and more text '.repeat(20)) }, 0)",
    ),
  },
  "infinite-scroll": {
    "/": scripted(
      "setInterval(() => { for (let n = 0; n < 500; n += 1) document.body.insertAdjacentHTML('beforeend', '<section><h2>Part</h2><p>Text of the part.</p></section>'); scrollTo(0, 1e9) }, 1)",
    ),
  },
  "document-write": {
    "/": scripted(
      "setInterval(() => document.write('<p>written</p><script>document.write(\"<p>again\")<\\/script>'.repeat(200)), 1)",
    ),
  },
  "deep-dom": { "/": `<!doctype html><title>Deep</title>${"<div>".repeat(500_000)}text` },
  "deep-dom-by-script": {
    "/": scripted(
      "let at = document.body; for (let n = 0; n < 3e5; n += 1) at = at.appendChild(document.createElement('div')); at.append('text')",
    ),
  },
  "deep-shadow": {
    "/": scripted(
      "let at = document.body; for (let n = 0; n < 2e4; n += 1) { at = at.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }); at.append('text') }",
    ),
  },
  "ten-thousand-frames": {
    "/": marked('<iframe src="./frame"></iframe>'.repeat(10_000)),
    "/frame": marked("a frame"),
  },
  "recursive-frames": { "/": marked([1, 2, 3].map(n => `<iframe src="./?${n}"></iframe>`).join("")) },
  "long-title": {
    "/": scripted(
      "document.title = 'title '.repeat(5e6); history.replaceState(0, '', '?' + 'q'.repeat(1.9e6))",
    ),
  },
  links: {
    "/": marked(
      Array.from({ length: 100_000 }, (_, n) => `<a href="./page-${n}?${n}">link ${n}</a>`).join(" "),
    ),
  },
  canvas: {
    "/": scripted(
      "const all = []; setInterval(() => { const c = document.body.appendChild(document.createElement('canvas')); c.width = c.height = 16000; const g = c.getContext('2d'); g.fillRect(0, 0, 16000, 16000); all.push(g.getImageData(0, 0, 8000, 8000)); c.toDataURL() }, 1)",
    ),
  },
  webgl: {
    "/": scripted(`setInterval(() => {
      const gl = document.body.appendChild(document.createElement("canvas")).getContext("webgl2"); if (!gl) return;
      const shader = gl.createShader(gl.FRAGMENT_SHADER);
      gl.shaderSource(shader, "#version 300 es\\nprecision highp float; out vec4 c; void main() { float x = 0.; for (int n = 0; n < 100000000; n++) x += sin(float(n)); c = vec4(x); }");
      gl.compileShader(shader); gl.bufferData(gl.ARRAY_BUFFER, 2e8, gl.STATIC_DRAW); gl.finish();
    }, 1)`),
  },
  "css-rules": {
    "/": marked(
      `<style>${".a > .b:not(.c) ~ .d::before{content:'x'}".repeat(200_000)}</style><link rel=stylesheet href="./rules.css">`,
    ),
    "/rules.css": {
      headers: { "content-type": "text/css" },
      body: "*:has(:nth-child(7n+1) > *) { transform: rotate(3deg); filter: blur(9px) }\n".repeat(200_000),
    },
  },
};
