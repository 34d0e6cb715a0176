import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { toConfig } from "../../mixins/config/config.ts";
import { openApiDocument } from "../../services/api/openapi/document.ts";
import { crawlRoutes } from "../../services/api/routes/crawl.routes.ts";
import { routes } from "../../services/api/routes/routes.ts";

const { social } = toConfig({});

/** As `/openapi.json` has it. */
function documentText(publicUrl?: string): string {
  return JSON.stringify(openApiDocument(routes, social, publicUrl));
}

/** What the rules `spectral:oas` find, warnings included. */
async function foundBySpectral(text: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as never, "recommended"]] });
  const found = await linter.run(JSON.parse(text));
  return found.map(({ code, path, message }) => `${code} at ${path.join(".")}: ${message}`);
}

/** What the strictest rules of Redocly find. */
async function foundByRedocly(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const found = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  return found.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

const linters = [
  ["Spectral", foundBySpectral],
  ["Redocly", foundByRedocly],
] as const;

test.each(linters)("%s finds nothing in the document", async (_name, find) => {
  expect(await find(documentText())).toEqual([]);
});

test("Redocly finds nothing where the address of the installation is known", async () => {
  expect(await foundByRedocly(documentText("https://magpie.test/api"))).toEqual([]);
});

test.each(linters)("%s finds what is wrong", async (_name, find) => {
  const document = openApiDocument(crawlRoutes, social) as { paths: Record<string, object> };
  const paths = { ...document.paths, "/again": document.paths["/web/crawl/{crawl_id}/errors"] };
  const found = await find(JSON.stringify({ ...document, paths }));
  expect(found.join("\n")).toMatch(/^operation-operationId-unique at /m);
});
