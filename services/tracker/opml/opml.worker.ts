/** Runs in worker threads: what a document costs to read is its author's choice. */
import { serveTasks } from "../../../mixins/runtime/thread-worker.ts";
import { type OpmlReading, readOpml } from "../../domain/opml/read-opml.ts";
import { decodeText } from "../../domain/text/decode-text.ts";

/** The bytes of a document, base64, and the charset that its sender names. */
export interface OpmlDocument {
  body: string;
  charset?: string | undefined;
}

const tasks = {
  readOpml: ({ body, charset }: OpmlDocument): OpmlReading =>
    readOpml(decodeText(Buffer.from(body, "base64"), { charset }, "xml")),
};

export type OpmlTasks = typeof tasks;

export default serveTasks(tasks);
