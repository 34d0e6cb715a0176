import type { Listed } from "../../contracts/inspection.contract.ts";
import { type Command, numberIn, textIn } from "./command.ts";
import { type Columns, showTable } from "./show-table.ts";

interface List<Row> {
  name: string;
  description: string;
  path: string;
  columns: Columns<Row>;
  /** An option that is a parameter of the endpoint, and what it takes. */
  filter: { name: string; takes: string; description: string };
}

/** A command that shows a list of the installation, a page at a time. */
export function listCommand<Row>({ name, description, path, columns, filter }: List<Row>): Command {
  return {
    command: name,
    description,
    options: [
      { option: `--${filter.name} <${filter.takes}>`, description: filter.description },
      { option: "--limit <n>", description: "how many at a time, 1 to 100; 20 unless told" },
      { option: "--cursor <c>", description: "where to go on" },
    ],
    async run(line, tools) {
      const query = new URLSearchParams({ limit: String(numberIn(line, "limit", 20)) });
      for (const each of ["cursor", filter.name]) {
        const value = textIn(line, each);
        if (value !== undefined) query.set(each, value);
      }
      const { body } = await tools.ask<Listed<Row>>("GET", `${path}?${query}`);
      showTable(tools, body.data, columns);
      if (body.next_cursor !== null) tools.screen.write(`There are more: --cursor ${body.next_cursor}\n`);
    },
  };
}
