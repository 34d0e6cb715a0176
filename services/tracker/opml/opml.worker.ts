/** Runs in worker threads: what a document costs to read is its author's choice. */
import { serveTasks } from "../../../mixins/runtime/thread-worker.ts";
import { decodeText } from "../../../reader/text/decode-text.ts";
import { type OpmlReading, readOpml } from "../../domain/opml/read-opml.ts";

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
