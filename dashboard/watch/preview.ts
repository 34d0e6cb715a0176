/* Asks for a preview of a watch. A page is read as a poll reads it, which may take a while. */
import type { Preview } from "../../services/contracts/preview.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { post } from "../shell/client.ts";

const patienceMs = 90_000;

export async function preview(
  kind: SourceKind,
  sid: string,
  options: Record<string, unknown>,
): Promise<Preview> {
  const isAimed = Object.keys(options).length > 0;
  const body = { sid, ...(isAimed && { options }), ...(kind === "web" && { with_page: true }) };
  const signal = AbortSignal.timeout(patienceMs);
  const { data } = await post<{ data: Preview }>(`/track/${kind}/preview`, body, { signal });
  return data;
}
