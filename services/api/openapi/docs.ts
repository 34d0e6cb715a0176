import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fail } from "../../contracts/errors.ts";
import type { OwnAnswer } from "../routes/route.ts";

const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const types: Record<string, string> = {
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

/** Swagger UI over the document. */
export const docs: OwnAnswer = {
  params: {},
  answer: () => ({
    type: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy },
    body: page,
  }),
};

/** The files of the page, and no others. */
export const docsFile: OwnAnswer = {
  params: { file: { type: "string", max: 64 } },
  async answer(_gateway, { file }) {
    const headers = { "cache-control": "public, max-age=3600" };
    const name = String(file);
    if (name === "start.js") return { type: "text/javascript; charset=utf-8", headers, body: start };
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (!type) throw fail("not_found", "The documentation has no such file.");
    return { type, headers, body: await contentOf(name) };
  },
};

const contents = new Map<string, Buffer>();

/** Keeps one copy in memory: clients that read slowly would each hold one otherwise. */
async function contentOf(name: string): Promise<Buffer> {
  const content = contents.get(name) ?? (await readFile(join(folder, name)));
  contents.set(name, content);
  return content;
}

/** The document itself. */
export const openapi: OwnAnswer = {
  params: {},
  result: { type: "object" },
  answer: ({ document }) => ({ type: "application/json; charset=utf-8", body: document }),
};
