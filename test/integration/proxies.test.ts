import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type RequestOptions, request as requestBy } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import { type Binary, type DebianProgram, findBinary } from "../support/debian-binary.ts";
import { removeFolder } from "../support/folders.ts";
import { needs } from "../support/needs.ts";
import { killNodes, type NodeProcess, startNode } from "../support/node-process.ts";
import { selfSigned } from "../support/self-signed.ts";
import { withoutBrowser } from "../support/start-args.ts";
import { until } from "../support/until.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/operations/a-server-with-tls.md"), "utf8");
const fixtures = join(import.meta.dirname, "../fixtures/tls");
const { cert } = selfSigned();
const apiKey = "a-key-of-the-proxies-0123456789";
const adminKey = "an-admin-key-of-the-proxies-0123456789";

/** Blocks of the page in a language: the proxy's configuration, then what it adds to keep a part private. */
const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block = ""]) => block);

interface Proxy extends DebianProgram {
  /** What the page shows, with names, ports and files of this test, and the lines around it. */
  config(port: number, gateway: string, folder: string): string;
  args(file: string): string[];
}

const nginx: Proxy = {
  program: "nginx",
  packages: ["nginx"],
  check: ["-v"],
  advice: "Install nginx.",
  config: (port, gateway, folder) => {
    const [server = "", part = ""] = blocksOf("nginx");
    const ofTest = server
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replace("server_name magpie.example.com", "server_name a.example")
      .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, join(fixtures, "cert.pem"))
      .replace(/\/etc\/letsencrypt\S+privkey\.pem/, join(fixtures, "key.pem"))
      .replace("127.0.0.1:3000", gateway)
      .replace(/\}\n$/, `${part}}\n`);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const paths = temporary.map(name => `${name}_temp_path ${folder}/${name};`).join("\n");
    // A worker of root would run as nobody, who cannot enter the folder.
    const user = process.getuid?.() === 0 ? "user root;" : "";
    return `${user} daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${ofTest}}\n`;
  },
  args: file => ["-e", "stderr", "-c", file],
};

const caddy: Proxy = {
  program: "caddy",
  packages: ["caddy"],
  check: ["version"],
  advice: "Install Caddy.",
  config: (port, gateway) => {
    const [server = "", part = ""] = blocksOf("caddyfile");
    const files = ["cert.pem", "key.pem"].map(name => join(fixtures, name)).join(" ");
    const ofTest = server
      .replace("magpie.example.com {", `https://a.example:${port} {\nbind 127.0.0.1\ntls ${files}\n${part}`)
      .replace("127.0.0.1:3000", gateway);
    return `{\nadmin off\nauto_https off\n}\n${ofTest}`;
  },
  args: file => ["run", "--adapter", "caddyfile", "--config", file],
};

let gateway: NodeProcess;
let gatewayAddress = "";
const folder = mkdtempSync(join(tmpdir(), "magpie-proxies-"));

beforeAll(async () => {
  gateway = startNode([], {
    ...{ DATA_DIR: join(folder, "data"), ADMIN_KEY: adminKey, BOOTSTRAP_API_KEY: apiKey, ...withoutBrowser },
    ...{ PUBLIC_URL: "https://a.example", TRUSTED_PROXIES: "127.0.0.1", HOST: "127.0.0.1" },
  });
  gatewayAddress = new URL(await gateway.gateway()).host;
});

afterAll(async () => {
  await killNodes();
  await removeFolder(folder);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

const found = async (proxy: Proxy): Promise<Binary | null> => findBinary(proxy).catch(() => null);
const binaries = new Map([
  [nginx, await found(nginx)],
  [caddy, await found(caddy)],
]);

for (const [proxy, binary] of binaries)
  needs(binary !== null, `${proxy.program} (Debian: apt-get install ${proxy.program})`).describe(
    `behind ${proxy.program}, as the page sets it up`,
    () => {
      let child: ChildProcess;
      let port = 0;

      beforeAll(async () => {
        port = await freePort();
        const own = join(folder, proxy.program);
        mkdirSync(own);
        const file = join(own, "config");
        writeFileSync(file, proxy.config(port, gatewayAddress, own));
        child = spawn(binary?.path ?? "", proxy.args(file), {
          env: { ...process.env, ...binary?.env, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own },
          stdio: ["ignore", "ignore", "pipe"],
        });
        let said = "";
        child.stderr?.setEncoding("utf8").on("data", chunk => {
          said += chunk;
        });
        await until(`${proxy.program} answers`, async () => {
          if (child.exitCode !== null) throw new Error(said);
          return (await ask("/health/live").catch(() => undefined))?.statusCode === 200;
        });
      });

      afterAll(async () => {
        const exit = once(child, "exit");
        child.kill("SIGTERM");
        await exit;
      });

      /** By the public name, from an address of this machine. */
      const options = (path: string, { headers, ...more }: RequestOptions = {}): RequestOptions => ({
        ...{ host: "127.0.0.1", port, path, servername: "a.example", ca: cert, agent: false },
        headers: { host: "a.example", ...(headers as Record<string, string>) },
        ...more,
      });

      async function ask(path: string, more: RequestOptions = {}, body = ""): Promise<IncomingMessage> {
        const request = requestBy(options(path, more)).end(body);
        const [response] = (await once(request, "response")) as [IncomingMessage];
        return response;
      }

      test("HTTPS is answered by the public name", async () => {
        const response = await ask("/users/me", { headers: { "x-api-key": apiKey } });
        expect([response.statusCode, JSON.parse(await text(response)).message]).toEqual([
          200,
          "This is you.",
        ]);
      });

      test("links have the public address", async () => {
        const headers = { "x-api-key": apiKey, "content-type": "application/json" };
        const response = await ask("/feeds", { method: "POST", headers }, '{"name":"all"}');
        expect(JSON.parse(await text(response)).data.atom_url).toMatch(/^https:\/\/a\.example\/feeds\//);
      });

      test("a WebSocket opens", async () => {
        const socket = new WebSocket(
          `wss://127.0.0.1:${port}/stream`,
          options("/stream", { headers: { "x-api-key": apiKey } }),
        );
        await once(socket, "open");
        socket.terminate();
      });

      test("a stream of events begins at once", async () => {
        const response = await ask("/stream/sse", { headers: { "x-api-key": apiKey } });
        expect(response.headers["content-type"]).toContain("text/event-stream");
        const [first] = await once(response, "data");
        expect(String(first)).not.toBe("");
        response.destroy();
      });

      test("the limit on wrong keys counts each client, whatever that says of itself", async () => {
        const guess = async (localAddress: string, at: number) => {
          const headers = { "x-admin-key": `a-wrong-key-${at}-0123456789`, "x-forwarded-for": `9.9.9.${at}` };
          return (await ask("/internal/keys", { localAddress, headers })).statusCode;
        };
        const stranger = proxy === nginx ? "127.0.0.51" : "127.0.0.52";
        const statuses = [];
        for (let at = 0; at < 12; at += 1) statuses.push(await guess(stranger, at));
        expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
        expect(await guess(stranger.replace("127.0.0.5", "127.0.0.6"), 99)).toBe(401);
      });

      test("what is too large is refused by Magpie, in its own words", async () => {
        const headers = { "x-api-key": apiKey, "content-type": "application/json" };
        const response = await ask(
          "/web/scrape",
          { method: "POST", headers },
          `{"url":"${"a".repeat(3 << 20)}"}`,
        );
        expect(response.statusCode).toBe(413);
        expect(JSON.parse(await text(response)).code).toBe("payload_too_large");
      });

      test("metrics are private", async () => {
        expect((await ask("/metrics")).statusCode).toBe(404);
      });
    },
  );
