import { drip, type HostilePages, marked, scripted } from "./site.ts";

const list = (values: string[]) => JSON.stringify(values);

/** Pages that reach for the machine's own network, or keep what outlives them. */
export const reachPages: HostilePages = {
  "canary-requests": ({ hosts }) => ({
    "/": scripted(
      `setInterval(() => { for (const host of ${list(hosts)}) {
        fetch("http://" + host + "/fetch", { mode: "no-cors" }).catch(() => {});
        navigator.sendBeacon("http://" + host + "/beacon", "x"); new Image().src = "http://" + host + "/image";
        const request = new XMLHttpRequest(); request.open("GET", "http://" + host + "/xhr"); request.send();
      } }, 100)`,
      hosts
        .map(
          host =>
            `<link rel=prefetch href="http://${host}/prefetch"><link rel=preconnect href="http://${host}/"><iframe src="http://${host}/frame"></iframe><script src="http://${host}/script"></script><a ping="http://${host}/ping" href="#x">x</a>`,
        )
        .join(""),
    ),
  }),
  "canary-redirect": ({ hosts }) => ({
    "/": { status: 302, headers: { location: `http://${hosts[0]}/redirect` } },
  }),
  "canary-refresh": ({ hosts }) => ({
    "/": marked(`<meta http-equiv=refresh content="0;url=http://${hosts[1]}/refresh">`),
  }),
  "web-sockets": ({ hosts }) => ({
    "/": scripted(
      `setInterval(() => { for (const host of ${list(hosts)}) for (let n = 0; n < 50; n += 1) new WebSocket("ws://" + host + "/socket") }, 10)`,
    ),
  }),
  "web-rtc": ({ hosts, udp }) => ({
    "/": scripted(
      `setInterval(() => {
        const urls = ["stun:${udp}", ${hosts.map(host => `"turn:${host}?transport=tcp"`)}];
        const peer = new RTCPeerConnection({ iceServers: [{ urls, username: "u", credential: "c" }] });
        peer.createDataChannel("x"); peer.createOffer().then(offer => peer.setLocalDescription(offer)).catch(() => {});
      }, 50)`,
    ),
  }),
  "web-transport": ({ udp }) => ({
    "/": scripted(`setInterval(() => { try { new WebTransport("https://${udp}/") } catch {} }, 20)`),
  }),
  "speculation-rules": ({ hosts }) => ({
    "/": marked(
      `<script type=speculationrules>${JSON.stringify({
        prefetch: [
          { source: "list", urls: hosts.map(host => `http://${host}/speculated`), eagerness: "immediate" },
        ],
        prerender: [
          {
            source: "list",
            urls: ["./other", ...hosts.map(host => `http://${host}/prerendered`)],
            eagerness: "immediate",
          },
        ],
      })}</script>`,
    ),
    "/other": scripted("for (;;);"),
  }),
  "service-worker": ({ hosts }) => ({
    "/": scripted(
      "navigator.serviceWorker?.register('./worker.js').then(() => setInterval(() => fetch('./x?' + Math.random()), 1))",
    ),
    "/worker.js": {
      headers: { "content-type": "text/javascript" },
      body: `self.skipWaiting(); onactivate = event => event.waitUntil(clients.claim());
        onfetch = event => event.respondWith(fetch("http://${hosts[0]}/by-worker").catch(() => new Response("x".repeat(1e6))));
        setInterval(() => { for (let n = 0; n < 100; n += 1) fetch("./y?" + n).catch(() => {}) }, 1); for (const end = Date.now() + 3e4; Date.now() < end;);`,
    },
    "/x": "x",
    "/y": "y",
  }),
  "event-source": {
    "/": scripted(
      "for (let n = 0; n < 50; n += 1) new EventSource('./events?' + n).onmessage = ({ data }) => document.body.append(data)",
    ),
    "/events": drip("text/event-stream", `data: ${"x".repeat(1000)}\n\n`, 20),
  },
  storage: {
    "/": scripted(`
      try { for (let n = 0; ; n += 1) { localStorage["k" + n] = "x".repeat(1e6); sessionStorage["k" + n] = "x".repeat(1e6) } } catch {}
      indexedDB.open("fill", 1).onupgradeneeded = event => {
        const store = event.target.result.createObjectStore("s", { autoIncrement: true });
        for (let n = 0; n < 100; n += 1) store.add(new Uint8Array(1e7));
      }`),
  },
  "cache-storage": {
    "/": scripted(
      "caches.open('fill').then(async cache => { for (let n = 0; ; n += 1) await cache.put('./k' + n, new Response(new Uint8Array(1e7))) }).catch(() => {})",
    ),
  },
  "private-files": {
    "/": scripted(`navigator.storage.getDirectory().then(async folder => {
      for (let n = 0; ; n += 1) {
        const stream = await (await folder.getFileHandle("f" + n, { create: true })).createWritable();
        await stream.write(new Uint8Array(1e7)); await stream.close();
      } }).catch(() => {})`),
  },
  permissions: {
    "/": scripted(`setInterval(() => {
      Notification.requestPermission?.(); navigator.geolocation?.getCurrentPosition(() => {});
      navigator.mediaDevices?.getUserMedia({ video: true, audio: true }).catch(() => {}); navigator.clipboard?.readText().catch(() => {});
      navigator.storage.persist(); document.documentElement.requestFullscreen().catch(() => {}); navigator.share?.({ title: "x" }).catch(() => {});
    }, 1)`),
  },
};
