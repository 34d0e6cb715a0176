import type { Index } from "../store.ts";
import type { Database } from "./database.ts";
import { assertName, column } from "./where.ts";

/** Makes the declared indexes of a table and drops those that are declared no longer. */
export function ensureIndexes(database: Database, table: string, indexes: Index[]): void {
  assertName(table);
  const wanted = new Map(indexes.map(index => [indexName(table, index), index]));
  for (const name of existing(database, table)) if (!wanted.has(name)) database.exec(`DROP INDEX "${name}"`);
  for (const [name, index] of wanted) database.exec(definition(name, table, index));
}

/** The name tells the whole definition, so that a changed one is another index. */
function indexName(table: string, { fields, unique, sparse }: Index): string {
  return [table, ...fields, unique && "unique", sparse && "sparse"].filter(Boolean).join(":");
}

function existing(database: Database, table: string): string[] {
  return database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .all(table)
    .map(row => String(row.name));
}

function definition(name: string, table: string, { fields, unique, sparse }: Index): string {
  const columns = fields.map(column);
  const present = fields.filter(field => field !== "_id").map(field => `${column(field)} IS NOT NULL`);
  const only = sparse ? `WHERE ${present.join(" AND ")}` : "";
  return `CREATE ${unique ? "UNIQUE" : ""} INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns.join(", ")}) ${only}`;
}
