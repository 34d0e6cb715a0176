import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";

/** The revision without sessions, or those of 2025. */
export type Era = "modern" | "legacy";

export const eras: [Era][] = [["modern"], ["legacy"]];

/** An official client over a transport. */
export async function mcpClient(era: Era, transport: Transport): Promise<Client> {
  const mode = era === "modern" ? ({ pin: "2026-07-28" } as const) : "legacy";
  const client = new Client({ name: "tests", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

/** The same at a gateway. `fetch` may send each request elsewhere. */
export function httpClient(
  era: Era,
  url: string,
  headers: Record<string, string>,
  through: typeof fetch = fetch,
): Promise<Client> {
  const options = { requestInit: { headers }, fetch: through };
  return mcpClient(era, new StreamableHTTPClientTransport(new URL(`${url}/mcp`), options));
}

/** Calls a tool; its text, and what else the answer has. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options: { signal?: AbortSignal } = {},
) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args }, options);
  const text = (content as { text: string }[]).map(each => each.text).join("\n");
  return { text, structuredContent, isError: isError === true };
}

/** What an answer holds between the two lines of its fence, and what it says before them. */
export function unfenced(text: string): { facts: string; content: string } {
  const [, mark = "no mark"] = /^<(untrusted-[0-9a-f]{24})>$/m.exec(text) ?? [];
  const [facts = "", inside, ...more] = text.split(`\n<${mark}>\n`);
  const [content = "", after, ...rest] = (inside ?? "").split(`\n</${mark}>`);
  if (after !== "" || more.length + rest.length > 0) throw new Error(`not one fence: ${text}`);
  return { facts, content };
}
