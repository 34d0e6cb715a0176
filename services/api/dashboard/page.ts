import { createHash } from "node:crypto";
import { fail } from "../../contracts/errors.ts";
import { keptReply } from "../response/kept.ts";
import type { OwnAnswer, OwnReply } from "../routes/route.ts";
import { dashboardFile, fileNames, importMap } from "./files.ts";

/** Colours and type come first, the other files of the design refine them. */
const styles = ["tokens.css", "base.css", ...fileNames.filter(name => name.endsWith(".css"))].filter(
  (name, at, all) => all.indexOf(name) === at,
);

/** Sets the theme before anything is painted; the others are modules, which run once the page is there. */
const firstPaint = "first-paint.ts";

const modules = fileNames.filter(
  name => /\.(ts|js)$/.test(name) && name !== firstPaint && name !== "main.ts",
);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Magpie</title>
<link rel="icon" href="/dashboard/icon.svg" type="image/svg+xml">
<script src="/dashboard/${firstPaint}"></script>
${styles.map(name => `<link rel="stylesheet" href="/dashboard/${name}">`).join("\n")}
<script type="importmap">${importMap}</script>
${modules.map(name => `<link rel="modulepreload" href="/dashboard/${name}">`).join("\n")}
<script type="module" src="/dashboard/main.ts"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="noscript">The dashboard needs JavaScript. Everything that it does is also an endpoint of <a href="/docs">the API</a>.</p></noscript>
</body>
</html>
`;

/** Everything comes from this server. An import map must be in the page, so the policy names its digest. */
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash("sha256").update(importMap).digest("base64")}'`,
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** A browser asks each time whether it has changed, so that a page never runs with the files of another version. */
const common = { "cache-control": "no-cache", "referrer-policy": "same-origin" };

const pageReply = keptReply(
  { type: "text/html; charset=utf-8", body: page },
  { ...common, "content-security-policy": policy },
);

function reply(path: string): OwnReply {
  if (!/\.[a-z]+$/.test(path)) return pageReply;
  const file = dashboardFile(path);
  if (!file) throw fail("not_found", "The dashboard has no such file.");
  return { type: file.type, headers: { ...common, etag: file.etag }, body: file.body };
}

/** Answers with the page of the dashboard. */
export const dashboard: OwnAnswer = { kind: "own", params: {}, answer: () => reply("") };

const segment = { type: "string", max: 256, optional: true } as const;

/** Its files, and the page again at every path that names no file: the browser's code reads the path itself. */
export const belowDashboard: OwnAnswer = {
  kind: "own",
  params: { first: segment, second: segment, third: segment },
  answer: (_gateway, { first, second, third }) =>
    reply([first, second, third].filter(part => part !== undefined).join("/")),
};
