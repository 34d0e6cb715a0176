/*
 * The options of scrapes and crawls, from the service's own document.
 *
 *   const groups = useOptions("crawl");   undefined until they are there
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError, get } from "../shell/client.ts";
import { type Group, groupsOf, type NamedSchemas, type Schema, writtenOut } from "./option-fields.ts";

export type What = "scrape" | "crawl";

interface Document {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>;
  components: { schemas: NamedSchemas };
}

type Options = Record<What, Group[]>;

let loaded: Promise<Options> | undefined;

export interface LoadedOptions {
  groups: Group[] | undefined;
  error: ApiError | undefined;
}

export function useOptions(what: What): LoadedOptions {
  const options = useSignal<Options | undefined>(undefined);
  const error = useSignal<ApiError | undefined>(undefined);
  useEffect(() => {
    loaded ??= load();
    loaded.then(
      value => {
        options.value = value;
      },
      (reason: unknown) => {
        loaded = undefined;
        error.value =
          reason instanceof ApiError
            ? reason
            : new ApiError(0, { message: String(reason) }, { cause: reason });
      },
    );
  }, []);
  return { groups: options.value?.[what], error: error.value };
}

async function load(): Promise<Options> {
  const document = await get<Document>("/openapi.json");
  return { scrape: groupsIn(document, "/web/scrape"), crawl: groupsIn(document, "/web/crawl") };
}

function groupsIn({ paths, components }: Document, path: string): Group[] {
  const schema = paths[path]?.post?.requestBody?.content["application/json"]?.schema;
  if (!schema) throw new Error(`The service's document does not describe ${path}.`);
  return groupsOf(writtenOut(schema, components.schemas));
}
