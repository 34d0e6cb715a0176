/*
 * The dashboard in the browser that the service carries.
 *
 *   const dashboard = await openDashboard();                 one service on the sandbox drivers, one browser
 *   const tab = await dashboard.signIn({ admin_key: dashboard.adminKey });
 *   await tab.go("/keys");
 *   await tab.click("Generate a key"); await tab.fill("Name", "production"); await tab.sees("Copy the key now");
 *   expect(await tab.findings()).toEqual([]);                axe, serious and critical
 *   expect(dashboard.problems).toEqual([]);                  violations of the policy, errors of scripts, of all tabs
 *   await dashboard.close();
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type BrowserContext, type ElementHandle, type Page } from "puppeteer";
import { runsAsRoot } from "../../../mixins/browser/browser-process.ts";
import { type Service, startService } from "../../docs/service.ts";
import { testBrowser } from "../../support/browser.ts";
import { removeFolder } from "../../support/folders.ts";
import { until } from "../../support/until.ts";

export type Credentials = { admin_key: string } | { api_key: string } | { owner: string; password: string };

export interface Dashboard extends Service {
  /** What no page may do: violate the policy, or throw. */
  problems: string[];
  /** A tab with cookies of its own, at the page where one signs in. */
  open(path?: string): Promise<Tab>;
  signIn(credentials: Credentials, path?: string): Promise<Tab>;
  close(): Promise<void>;
}

export async function openDashboard(env: Record<string, string> = {}): Promise<Dashboard> {
  const service = await startService(env);
  const scratch = mkdtempSync(join(tmpdir(), "magpie-dashboard-"));
  const browser = await launch(scratch);
  const problems: string[] = [];
  const open = async (path = "/") => {
    const context = await browser.createBrowserContext();
    const tab = new Tab(await watchedPage(context, problems), service.url);
    await tab.go(path);
    return tab;
  };
  const signIn = async (credentials: Credentials, path = "/") => {
    const tab = await open(path);
    await tab.signIn(credentials);
    return tab;
  };
  const close = async () => {
    await browser.close();
    await service.stop();
    await removeFolder(scratch);
  };
  return { ...service, problems, open, signIn, close };
}

async function launch(scratch: string): Promise<Browser> {
  const { executablePath, kind, env } = await testBrowser();
  return await puppeteer.launch({
    executablePath,
    headless: kind === "shell" ? "shell" : true,
    args: [
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--hide-scrollbars",
      "--font-render-hinting=none",
      // A name that is no loopback one, as of another machine.
      "--host-resolver-rules=MAP magpie.test 127.0.0.1",
      ...(runsAsRoot() ? ["--no-sandbox"] : []),
    ],
    env: { PATH: process.env.PATH, HOME: scratch, TMPDIR: scratch, LANG: "C.UTF-8", ...env },
    userDataDir: join(scratch, "profile"),
    protocolTimeout: 120_000,
  });
}

async function watchedPage(context: BrowserContext, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  // A busy machine may take its time; the test has a deadline.
  page.setDefaultTimeout(120_000);
  await page.setViewport({ width: 1280, height: 900 });
  page.on("pageerror", error => problems.push(String(error)));
  await page.exposeFunction("tellProblem", (text: string) => problems.push(text));
  await page.evaluateOnNewDocument(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
      (window as unknown as { tellProblem(text: string): void }).tellProblem(
        `${violatedDirective}: ${blockedURI} ${sample}`,
      ),
    );
  });
  return page;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A tab as a person uses it: things are found by the words that are on them. */
export class Tab {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  /** Loads a page of the dashboard anew, by its path below `/dashboard`. */
  async go(path: string): Promise<void> {
    await this.page.goto(`${this.#url}/dashboard${path === "/" ? "" : path}`);
    await this.page.waitForSelector("h1");
  }

  /** The path and query of the address, below `/dashboard`. */
  address(): string {
    return this.page.url().slice(`${this.#url}/dashboard`.length) || "/";
  }

  /** Waits until the address is this one. What is typed comes into it a moment later, in parts if the typing is slow. */
  async isAt(path: string): Promise<void> {
    await until(`the address is ${path}`, () => this.address() === path);
  }

  async signIn(credentials: Credentials): Promise<void> {
    const way = "owner" in credentials ? "Owner and password" : "Key";
    await this.page.evaluate(name => {
      const labels = [...document.querySelectorAll<HTMLLabelElement>(".ways label")];
      labels.find(each => each.textContent === name)?.control?.click();
    }, way);
    for (const [name, value] of Object.entries(credentials)) {
      // The form tells by itself which kind of key it is.
      const field = await this.page.waitForSelector(`input[name=${name.endsWith("_key") ? "key" : name}]`);
      if (field) await this.#replace(field, value);
    }
    await this.click("Sign in");
    await this.page.waitForSelector(".frame h1");
  }

  /** Clicks the button or link with this name, as a screen reader would call it. The last one is in front. */
  async click(name: string): Promise<void> {
    await until(`${name} can be clicked`, () =>
      this.page.evaluate(wanted => {
        const nameOf = (element: Element) => element.getAttribute("aria-label") ?? element.textContent ?? "";
        // As for a person, what is behind a dialog waits until it has closed.
        const within = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
        const found = [...within.querySelectorAll<HTMLElement>("button, a, summary")].filter(
          element =>
            nameOf(element).trim().replace(/\s+/g, " ") === wanted &&
            element.checkVisibility() &&
            !(element as HTMLButtonElement).disabled,
        );
        found.at(-1)?.click();
        return found.length > 0;
      }, name),
    );
  }

  /** Types into the field with this label, in place of what is there. As with `click`, a dialog is in front of the page. */
  async fill(label: string, value: string): Promise<void> {
    let field: ElementHandle<Element> | null = null;
    await until(`there is a field ${label}`, async () => {
      const handle = await this.page.evaluateHandle(wanted => {
        const within = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
        const labels = [...within.querySelectorAll("label")].filter(
          each => each.textContent?.trim().startsWith(wanted) && each.checkVisibility(),
        );
        return labels.at(-1)?.control ?? null;
      }, label);
      field = handle.asElement() as ElementHandle<Element> | null;
      return field !== null;
    });
    if (field) await this.#replace(field, value);
  }

  async #replace(field: ElementHandle<Element>, value: string): Promise<void> {
    // What is not shown yet takes no focus, and keys would go elsewhere.
    await until("the field has the focus", () =>
      this.page.evaluate(element => {
        (element as HTMLInputElement).focus();
        (element as HTMLInputElement).select();
        return document.activeElement === element;
      }, field),
    );
    // Over what is selected: a page that renders meanwhile would bring back a value that a script has taken away.
    await this.page.keyboard.press("Delete");
    await this.page.keyboard.type(value);
  }

  /** Waits until this text is on the page, as a reader sees it. */
  async sees(text: string): Promise<void> {
    await until(`“${text}” is shown`, async () => (await this.text()).includes(text)).catch(async error => {
      throw new Error(`${error.message}; there is: ${await this.text()}`);
    });
  }

  async text(): Promise<string> {
    return await this.page.evaluate(() => document.body.innerText.replace(/\s+/g, " "));
  }

  /** What axe finds of the page as it is now, as lines; only what hinders people. */
  async findings(): Promise<string[]> {
    await this.page.evaluate(axe);
    return await this.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(document, { resultTypes: ["violations"] });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
        );
    });
  }

  async theme(theme: "light" | "dark"): Promise<void> {
    // A colour on its way to another is neither.
    await this.page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: theme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
  }

  async close(): Promise<void> {
    await this.page.browserContext().close();
  }
}
