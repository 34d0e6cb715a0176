import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { totp } from "../../services/scraper/sessions/totp.ts";
import { type Site, startSite } from "./http-site.ts";

const hour = 3_600_000;
export const seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** A site that lets people in for an hour, by name, password and one-time password, with a token in each form. */
export interface LoginSite extends Site {
  /** What somebody sees who is signed in. */
  words: string;
  /** When a password was sent, by the clock of the site. */
  tries: number[];
  /** Where the form leads in place of the site itself. */
  elsewhere?: string;
  /** Its robots.txt. */
  robots?: string;
  /** Steps that get no answer, such as `password /orders` and `signed in /orders`, and those that came. */
  unanswered: Set<string>;
  waiting: string[];
}

const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

const form = (path: string, token: string, fields: string) =>
  page(
    "Sign in",
    `<form method=post action="${path}"><input type=hidden name=token value="${token}">${fields}<button>Go</button></form>`,
  );

/** `now`: the clock of the site. */
export async function startLoginSite(password: string, now = Date.now): Promise<LoginSite> {
  /** The token of each form, and whether its visitor has sent the right password. */
  const doors = new Map<string, { token: string; isHalfIn: boolean; to: string }>();
  const visitors = new Map<string, { since: number; turn: number }>();

  const isHeld = (step: string) => {
    if (!site.unanswered.has(step)) return false;
    site.waiting.push(step);
    return true;
  };

  const secret = async (request: IncomingMessage, response: ServerResponse) => {
    const { sid = "", turn } = cookiesOf(request);
    const visitor = visitors.get(sid);
    const isIn = visitor && now() - visitor.since < hour;
    // Pages that may be asked for at once.
    const isSteady = request.url?.startsWith("/orders/steady/") === true;
    if (!isIn || (!isSteady && turn !== undefined && Number(turn) !== visitor.turn)) {
      response.writeHead(302, { location: `/login?to=${encodeURIComponent(request.url ?? "/")}` });
      return response.end();
    }
    if (request.url === "/orders/moved") return response.writeHead(302, { location: "/hidden" }).end();
    if (isHeld(`signed in ${request.url}`)) return;
    // A renewal that is lost signs out.
    if (!isSteady) {
      visitor.turn += 1;
      response.setHeader("set-cookie", `turn=${visitor.turn}; Path=/`);
    }
    if (request.url === "/orders.json") {
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ orders: 1, asked: (await buffer(request)).toString() }));
    }
    response.setHeader("content-type", "text/html");
    const link = `<a href="${isSteady ? "/orders/steady/2" : "/orders/2"}">More</a>`;
    return response.end(page("Orders", `<main><h1>Orders</h1><p>${site.words}</p>${link}</main>`));
  };

  const login = async (request: IncomingMessage, response: ServerResponse) => {
    const { door: name = "" } = cookiesOf(request);
    const known = doors.get(name);
    response.setHeader("content-type", "text/html");
    if (request.method === "POST") {
      const sent = new URLSearchParams((await buffer(request)).toString());
      site.tries.push(now());
      if (isHeld(`password ${known?.to}`)) return;
      if (known?.token !== sent.get("token"))
        return response.writeHead(403).end("The token of the form is wrong.");
      if (sent.get("password") === password) {
        known.isHalfIn = true;
        return response.writeHead(303, { location: "/login/code" }).end();
      }
    }
    const to = URL.parse(request.url ?? "/", site.url)?.searchParams.get("to") ?? "/orders";
    const door = { token: randomUUID(), isHalfIn: false, to };
    const id = randomUUID();
    doors.set(id, door);
    response.setHeader("set-cookie", `door=${id}; Path=/; HttpOnly; SameSite=Lax`);
    const action = site.elsewhere ?? "/login";
    return response.end(form(action, door.token, `<input name=email><input type=password name=password>`));
  };

  const code = async (request: IncomingMessage, response: ServerResponse) => {
    const { door: name = "" } = cookiesOf(request);
    const door = doors.get(name);
    if (!door?.isHalfIn) return response.writeHead(302, { location: "/login" }).end();
    response.setHeader("content-type", "text/html");
    if (request.method !== "POST") return response.end(form("/login/code", door.token, "<input name=code>"));
    const sent = new URLSearchParams((await buffer(request)).toString());
    const at = Date.now();
    const isRight = [at, at - 30_000].some(each => sent.get("code") === totp(seed, each));
    if (!isRight || sent.get("token") !== door.token) return response.writeHead(403).end("Wrong.");
    const sid = randomUUID();
    visitors.set(sid, { since: now(), turn: 0 });
    response.setHeader("set-cookie", [`sid=${sid}; Path=/; HttpOnly`, "turn=0; Path=/"]);
    return response.writeHead(303, { location: door.to }).end();
  };

  /** A page of scripts, which keeps who is signed in in its local storage. */
  const app = page(
    "App",
    `<main id=main></main><script>
const show = () => {
  main.innerHTML = localStorage.token ? "<h1>App</h1><p class=in>" + "Signed in with the token in the local storage of this page. ".repeat(4) + "</p>"
    : "<form id=f><input type=password id=pw><button id=go type=button>Go</button></form>";
  if (document.querySelector("#go")) document.querySelector("#go").onclick = () => { if (pw.value === ${JSON.stringify(password)}) localStorage.token = "t-" + Date.now(); show(); };
};
show();</script>`,
  );

  /** A page whose scripts ask for what a browser may keep. */
  const mine = page(
    "Mine",
    `<main><h1>Yours</h1><p id=who></p></main><script>fetch("/who" + location.search).then(each => each.text()).then(each => { who.textContent = each; });</script>`,
  );

  const routes = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (path === "/robots.txt" && site.robots !== undefined) return response.end(site.robots);
    if (path === "/login") return login(request, response);
    if (path === "/login/code") return code(request, response);
    if (path.startsWith("/orders")) return secret(request, response);
    response.setHeader("content-type", "text/html");
    if (path === "/app") return response.end(app);
    if (path === "/hidden") return response.end(page("Hidden", "<p>Not for crawlers.</p>"));
    if (path === "/mine") return response.end(mine);
    if (path === "/who") {
      response.setHeader("cache-control", "private, max-age=600");
      const { sid = "", member } = cookiesOf(request);
      return response.end(visitors.has(sid) || member ? "Ada's orders" : "Nobody's orders");
    }
    return response.writeHead(404).end();
  };
  const site: LoginSite = Object.assign(await startSite(routes), {
    words: ordersOf(1),
    tries: [] as number[],
    unanswered: new Set<string>(),
    waiting: [] as string[],
  });
  return site;
}

export function ordersOf(count: number): string {
  return `You have ${count} orders, which nobody sees who is not signed in to this site. `.repeat(5);
}

/** The login that the site wants. */
export function loginWith(password: string): { actions: object[] } {
  return {
    actions: [
      { type: "type", selector: "input[name=email]", text: "ada@example.com" },
      { type: "type", selector: "input[name=password]", text: password },
      { type: "press", key: "Enter" },
      { type: "type", selector: "input[name=code]", totp: seed },
      { type: "press", key: "Enter" },
    ],
  };
}

function cookiesOf({ headers: { cookie = "" } }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(cookie.split("; ").map(pair => pair.split(/=(.*)/s).slice(0, 2)));
}
