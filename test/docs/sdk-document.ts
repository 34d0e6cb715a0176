/** The document that both SDKs are generated from; `npm run sdk` writes it and what follows from it. */
import { openApiDocument } from "../../services/api/openapi/document.ts";
import { routes } from "../../services/api/routes/routes.ts";

/** The document of an installation that simulates no network, as text. */
export function sdkDocument(): string {
  const real = { driver: "none" };
  const document = openApiDocument(routes, { microblog: real, chatserver: real, messenger: real });
  return `${JSON.stringify(document, null, 1)}\n`;
}
