/**
 * Firecrawl's server for language models, over stdio, with nothing changed but the address. Prints what its tools gave as
 * JSON. Arguments: the address, an API key, the address of the site.
 */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [, , apiUrl, apiKey, site] = process.argv;
const program = join(import.meta.dirname, "node_modules/firecrawl-mcp/dist/index.js");
const env = { PATH: process.env.PATH, FIRECRAWL_API_URL: apiUrl, FIRECRAWL_API_KEY: apiKey };
const client = new Client({ name: "peer", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env }));
const ask = async (name, args) => {
  const { content, isError } = await client.callTool({ name, arguments: args }, undefined, {
    timeout: 240_000,
  });
  return { isError: isError === true, text: content.map(({ text }) => text).join("") };
};
const got = {
  tools: (await client.listTools()).tools.map(({ name }) => name),
  scrape: await ask("firecrawl_scrape", { url: `${site}/p/1`, formats: ["markdown"] }),
  map: await ask("firecrawl_map", { url: `${site}/` }),
  crawl: await ask("firecrawl_crawl", { url: `${site}/p/`, limit: 3 }),
};
await client.close();
process.stdout.write(JSON.stringify(got));
