import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { goModule } from "../support/go-program.ts";
import { needs } from "../support/needs.ts";
import { render } from "./render.ts";

const sum = "h1:NPxFutNkKNa8UfLd2CMlEuhIPMQgDQ6DXNKG9sHbJU8=";
const folder = await goModule("sigs.k8s.io/gateway-api", "v1.4.1", sum);
const withModule = needs(folder !== null, "Go, which fetches the definitions of the Gateway API");

interface Definition {
  spec: { versions: { name: string; schema: { openAPIV3Schema: object } }[] };
}

/** The schema of a definition; fields that it does not name are refused, which Kubernetes would drop. */
function schemaOf(kind: string, version: string): object {
  const path = `config/crd/standard/gateway.networking.k8s.io_${kind}.yaml`;
  const { spec } = parse(readFileSync(join(folder ?? "", path), "utf8")) as Definition;
  const found = spec.versions.find(({ name }) => name === version);
  if (!found) throw new Error(`${path} has no ${version}`);
  return closed(found.schema.openAPIV3Schema) as object;
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const all = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isBare = typeof all.properties !== "object" || "additionalProperties" in all;
  return isBare ? all : { ...all, additionalProperties: false };
}

withModule.test("the route fits its definition, and a field that this does not know is found", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile(schemaOf("httproutes", "v1"));
  const routes = render("gateway-api").filter(({ kind }) => kind === "HTTPRoute");
  expect(routes).toHaveLength(1);
  for (const { metadata, ...route } of routes) {
    expect([validate({ ...route, metadata: {} }), validate.errors]).toEqual([true, null]);
    expect(validate({ ...route, metadata: {}, spec: { hostname: "magpie.example.com" } })).toBe(false);
  }
});
