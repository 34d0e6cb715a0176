import { watched } from "./watched.ts";

interface Model {
  prototype: { validate(): void };
}

/** Where the schemas of an API group are; Kubernetes' own are in kubernetes-models. */
const packages: Record<string, string> = {
  "keda.sh": "@kubernetes-models/keda",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
};

/** What Node and Jest say of a module that does not exist. */
const notThere = new Set(["ERR_PACKAGE_PATH_NOT_EXPORTED", "ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);

/**
 * What the schema of its kind finds wrong with a document, and its fields that the schema does not know, which
 * Kubernetes would drop in silence or refuse. Empty when all is well.
 */
export async function problemsOf(document: { apiVersion: string; kind: string }): Promise<string[]> {
  const { apiVersion, kind } = document;
  const model = await modelOf(apiVersion, kind);
  if (!model) return [`there is no ${kind} in ${apiVersion}`];
  const { value, unread } = watched(document);
  try {
    model.prototype.validate.call(value);
  } catch (error) {
    return [(error as Error).message];
  }
  return unread().map(path => `${path} is unknown to ${kind}`);
}

async function modelOf(apiVersion: string, kind: string): Promise<Model | undefined> {
  const source = packages[apiVersion.split("/")[0] ?? ""] ?? "kubernetes-models";
  try {
    const models = (await import(`${source}/${apiVersion}`)) as Record<string, Model>;
    return models[kind];
  } catch (error) {
    if (!notThere.has(String((error as NodeJS.ErrnoException).code))) throw error;
    return undefined;
  }
}
