/* Asks for a preview of a watch. A page is read as a poll reads it, which may take a while. */
import type { Preview } from "../../services/contracts/preview.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { post } from "../shell/client.ts";

const patienceMs = 90_000;

type Options = Record<string, unknown>;

/** With what the service says of it, in a sentence. */
export type Previewed = Preview & { message: string };

export async function preview(kind: SourceKind, sid: string, options: Options): Promise<Previewed> {
  return await ask(kind, sid, options, kind === "web" ? { with_page: true } : {});
}

/** With a picture of the page and the places of its parts on it, where a browser can show it. */
export async function pictured(sid: string, options: Options): Promise<Preview> {
  return await ask("web", sid, options, { with_picture: true });
}

async function ask(kind: SourceKind, sid: string, options: Options, more: Options): Promise<Previewed> {
  const isAimed = Object.keys(options).length > 0;
  const body = { sid, ...(isAimed && { options }), ...more };
  const signal = AbortSignal.timeout(patienceMs);
  const { data, message } = await post<{ data: Preview; message: string }>(`/track/${kind}/preview`, body, {
    signal,
  });
  return { ...data, message };
}
