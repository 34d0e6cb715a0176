import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fail } from "../../contracts/errors.ts";
import { keptReply, madeOnce } from "../response/kept.ts";
import type { OwnAnswer, OwnReply } from "../routes/route.ts";

const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const startName = "start.js";

const types: Record<string, string> = {
  [startName]: "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

/** Everything comes from this server. Swagger UI sets style attributes, which the policy must allow. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Magpie API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body style="margin: 0">
<nav style="padding: 12px 20px; font: 15px system-ui, sans-serif" aria-label="Magpie">
<a href="/">Magpie</a> · <a href="/guide">Guide</a>
</nav>
<div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#ui",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const pageReply = keptReply(
  { type: "text/html; charset=utf-8", body: page },
  { "content-security-policy": policy },
);

/** Answers with Swagger UI for the document. */
export const docs: OwnAnswer = { kind: "own", params: {}, answer: () => pageReply };

/** The files of the page, and no others. */
export const docsFile: OwnAnswer = {
  kind: "own",
  params: { file: { type: "string", max: 64 } },
  async answer(_gateway, { file }) {
    const name = String(file);
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (!type) throw fail("not_found", "The documentation has no such file.");
    const reply = files.get(name) ?? keptReply({ type, body: await contentOf(name) }, fileHeaders);
    files.set(name, reply);
    return reply;
  },
};

const fileHeaders = { "cache-control": "public, max-age=3600" };
const files = new Map<string, OwnReply>();

async function contentOf(name: string): Promise<string | Buffer> {
  return name === startName ? start : await readFile(join(folder, name));
}

/** Answers with the document itself. */
export const openapi: OwnAnswer = {
  kind: "own",
  params: {},
  result: { type: "object" },
  answer: context =>
    madeOnce(context, "openapi", () =>
      keptReply({ type: "application/json; charset=utf-8", body: context.document }),
    ),
};
