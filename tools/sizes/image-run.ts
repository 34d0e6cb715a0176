import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Image } from "./image-build.ts";
import { addressIn } from "./ready.ts";

const profile = join(import.meta.dirname, "../../k8s/image/seccomp/magpie-browser.json");
const user = 1000;

const samples: Record<string, string> = {
  Latin: "Żółć ñ ß",
  Greek: "Ελληνικά",
  Cyrillic: "Русский",
  "simplified Chinese": "敏捷的棕色狐狸",
  "traditional Chinese": "體驗龍",
  Japanese: "いろは カタカナ 漢字",
  Korean: "다람쥐 헌 쳇바퀴",
  Arabic: "نص حكيم له سر",
  Urdu: "ٹھیک ہے",
  Hebrew: "דג סקרן",
  Hindi: "ऋषियों को सताने",
  Bengali: "আমার সোনার",
  Tamil: "தமிழ்",
  Telugu: "తెలుగు",
  Sinhala: "සිංහල",
  Thai: "เป็นมนุษย์",
  Khmer: "ភាសាខ្មែរ",
  Burmese: "မြန်မာ",
  Tibetan: "བོད་སྐད་",
  Georgian: "ქართული",
  Armenian: "Հայերեն",
  Amharic: "አማርኛ",
  symbols: "✓→∑∞⚙☃♫",
  emoji: "😀🚀🦜🫶",
};

/** Compares each letter with the box that is drawn for a code point without a letter. */
const script = `
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  context.canvas.width = context.canvas.height = 60;
  const drawn = (text, font) => {
    context.clearRect(0, 0, 60, 60);
    context.font = "32px " + font;
    context.fillText(text, 5, 45);
    return context.canvas.toDataURL();
  };
  const without = [...document.querySelectorAll("p")].filter(({ textContent }) =>
    [...new Intl.Segmenter("en").segment(textContent)].some(({ segment }) =>
      /[\\p{L}\\p{S}]/u.test(segment) && drawn(segment, "sans-serif") === drawn("\\u{10fffd}", "sans-serif")));
  const names = without.map(each => each.title).join(", ") || "no script";
  const drawing = document.createElement("canvas").getContext("webgl") ? "WebGL" : "nothing";
  document.querySelector("h1").textContent = names + " is without letters, and " + drawing + " draws";
`;
const page = `<!doctype html><meta charset=utf-8><title>Scripts</title><main style="font: 22px sans-serif; columns: 2"><h1>none</h1>
${Object.entries(samples)
  .map(([name, text]) => `<p title="${name}" style="margin: 4px">${name}: ${text} <b>${text}</b></p>`)
  .join("\n")}</main><script>${script}</script>`;

/** Starts the image as its guide says, and asks it for a page that its browser has to show. */
export async function showPage(image: Image, folder: string): Promise<{ text: string; screenshot: Buffer }> {
  const site = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end(page);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const address = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const data = join(folder, "data");
  mkdirSync(data);
  chownSync(data, user, user);
  writeFileSync(join(folder, "config.json"), JSON.stringify(configuration(image, data, address)));
  const name = `magpie-image-${process.pid}`;
  const container = spawn("runc", ["run", "--bundle", folder, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(container, "exit");
  try {
    const url = await addressIn(container.stdout);
    const { bootstrapApiKey: key } = JSON.parse(readFileSync(join(data, "credentials.json"), "utf8"));
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const ask = (path: string, body?: object) =>
      fetch(url + path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
    const ready = await ask("/health/ready");
    if (!ready.ok) throw new Error(`the container is not ready: ${await ready.text()}`);
    const output = { formats: ["markdown", "screenshot"] };
    const answer = await ask("/web/scrape", { url: `http://${address}/`, output });
    const { data: scraped, ...rest } = (await answer.json()) as Scraped;
    if (scraped === undefined) throw new Error(`the page was not scraped: ${JSON.stringify(rest)}`);
    const screenshot = await ask(`/web/screenshot/${scraped.screenshot}`);
    const [, text = scraped.markdown] = /^# (.*)$/m.exec(scraped.markdown) ?? [];
    return { text, screenshot: Buffer.from(await screenshot.arrayBuffer()) };
  } finally {
    container.kill("SIGTERM");
    await exit;
    site.close();
  }
}

interface Scraped {
  data?: { markdown: string; screenshot: string };
}

/** In the form of the Open Container Initiative. The network is the machine's, so that the container finds the page. */
function configuration({ root, command, env }: Image, data: string, site: string) {
  const temporary = (destination: string, size: string) => ({
    destination,
    type: "tmpfs",
    source: "tmpfs",
    options: ["nosuid", "nodev", "mode=1777", `size=${size}`],
  });
  return {
    ociVersion: "1.0.2",
    root: { path: root, readonly: true },
    process: {
      user: { uid: user, gid: user },
      args: command,
      cwd: "/app",
      env: [...env, "HOST=127.0.0.1", "PORT=0", `EGRESS_ALLOW=${site}`],
      noNewPrivileges: true,
      capabilities: {},
    },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755"] },
      temporary("/dev/shm", "64m"),
      temporary("/tmp", "512m"),
      { destination: "/data", type: "bind", source: data, options: ["bind", "rw"] },
    ],
    linux: {
      namespaces: ["pid", "mount", "ipc", "uts"].map(type => ({ type })),
      seccomp: JSON.parse(readFileSync(profile, "utf8")),
    },
  };
}
