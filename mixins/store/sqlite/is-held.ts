import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const sqliteBusy = 5;

/** Whether another process has the database file open; it is not waited for. */
export function isHeld(path: string): boolean {
  if (!existsSync(path)) return false;
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    connection.prepare("SELECT count(*) FROM sqlite_master").get();
    return false;
  } catch (error) {
    // Whatever else is wrong with the file is for whoever opens it to tell.
    return (error as { errcode?: number }).errcode === sqliteBusy;
  } finally {
    connection?.close();
  }
}
