import { join } from "node:path";
import { type Helper, startLineHelper } from "../child.ts";
import { buildWithCargo } from "./install-with-cargo.ts";
import { installWithPip } from "./install-with-pip.ts";

export interface PageQuestion {
  html: string;
  url: string;
}

/** HTML or Markdown, null where the reader failed, and the CPU time that it took. */
export interface PageAnswer {
  result: string | null;
  ms: number;
}

const rust = async (name: string) => ({ program: await buildWithCargo("rust-readers"), args: [name] });

/** Programs in other languages that read the main content of pages, each installed when it is first asked for. */
const programs = {
  trafilatura: async () => ({
    program: join(await installWithPip("trafilatura", "trafilatura==2.3.1 lxml_html_clean==0.4.6"), "python"),
    args: [join(import.meta.dirname, "trafilatura.process.py")],
  }),
  "rs-trafilatura": () => rust("rs-trafilatura"),
  dom_smoothie: () => rust("dom_smoothie"),
};

export type PageReaderName = keyof typeof programs;
export const pageReaderNames = Object.keys(programs) as PageReaderName[];

/** Starts a reader as a process of its own. Throws where it cannot be installed. */
export async function startPageReader(name: PageReaderName): Promise<Helper<PageQuestion, PageAnswer>> {
  const { program, args } = await programs[name]();
  return startLineHelper<PageQuestion, PageAnswer>(program, args, { PATH: process.env.PATH });
}
