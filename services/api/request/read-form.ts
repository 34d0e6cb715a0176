import type { IncomingMessage } from "node:http";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { fail, invalid } from "../../contracts/errors.ts";
import { parseObject } from "./read-body.ts";
import type { Upload, UploadAccount } from "./uploads.ts";

/** Bytes of the part with the options, and of all that is in a form beside the file. */
const maxOptionsBytes = 256 * 1024;
const maxHeadBytes = 512 * 1024;

/** A form with one file and its options. */
export interface Form {
  file: Upload;
  options: Record<string, unknown> | undefined;
}

/**
 * Reads a form (RFC 7578) with the parts `file` and `options`, the latter as JSON. Throws 400, 413 and 415, which name the
 * part; `account` may refuse the bytes. The file is in memory, no more of it than is allowed.
 */
export async function readForm(
  req: IncomingMessage,
  maxBytes: number,
  account: UploadAccount,
): Promise<Form> {
  if (Number(req.headers["content-length"] ?? 0) > maxBytes + maxHeadBytes) throw tooLarge(maxBytes);
  const reader = new FormReader(maxBytes, account);
  await new Promise<void>((resolve, reject) => {
    const busboy = busboyFor(req, maxBytes);
    const stop = (error: Error) => {
      req.unpipe(busboy);
      // The rest is read and dropped: a client that is still sending may miss the answer.
      req.resume();
      reject(error);
    };
    const guarded =
      <Args extends unknown[]>(handle: (...args: Args) => void) =>
      (...args: Args) => {
        try {
          handle(...args);
        } catch (error) {
          stop(error as Error);
        }
      };
    busboy.on("file", (field, stream, name, _encoding, type) => {
      stream.on("limit", () => stop(tooLarge(maxBytes)));
      stream.on("error", error => stop(endedEarly(error)));
      stream.on(
        "data",
        guarded((piece: Buffer) => reader.piece(piece)),
      );
      guarded(() => reader.begin(field, name, type))();
    });
    busboy.on(
      "field",
      guarded((field: string, value: string, _isNameCut: boolean, isCut: boolean) =>
        reader.field(field, value, isCut),
      ),
    );
    for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const)
      busboy.on(limit, () =>
        stop(invalid("file", "exactly_one", "Send one file, and its options beside it.")),
      );
    busboy.on("finish", resolve);
    busboy.on("error", error => stop(endedEarly(error)));
    req.once("error", error => stop(endedEarly(error)));
    req.once("aborted", () => stop(endedEarly()));
    req.pipe(busboy);
  });
  return reader.form();
}

function busboyFor({ headers }: IncomingMessage, maxBytes: number): BusboyInstance {
  const type = headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw fail(
      "unsupported_media_type",
      "Send a form with the file: content-type multipart/form-data, with its boundary.",
    );
  try {
    return new Busboy({
      headers: { ...headers, "content-type": type },
      limits: {
        ...{ files: 2, fields: 4, parts: 5, fileSize: maxBytes },
        ...{ fieldNameSize: 100, fieldSize: maxOptionsBytes, headerPairs: 20, headerSize: 16 * 1024 },
      },
    });
  } catch (cause) {
    throw fail("malformed_request", "The form has no boundary between its parts.", {}, cause);
  }
}

class FormReader {
  readonly #maxBytes: number;
  readonly #account: UploadAccount;
  readonly #pieces: Buffer[] = [];
  #file: { name: string; type: string } | undefined;
  #size = 0;
  #options: string | undefined;

  constructor(maxBytes: number, account: UploadAccount) {
    this.#maxBytes = maxBytes;
    this.#account = account;
  }

  begin(field: string, name: string | undefined, type: string | undefined): void {
    if (field === "options") throw invalid("options", "malformed", "`options` is JSON, and no file.");
    if (field !== "file") throw unknownPart(field);
    if (this.#file) throw invalid("file", "exactly_one", "Send one file: one request reads one.");
    this.#file = { name: shortened(name ?? ""), type: (type ?? "").slice(0, 255) };
  }

  piece(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#account.add(piece.length);
    this.#pieces.push(piece);
  }

  field(field: string, value: string, isCut: boolean): void {
    if (field === "file")
      throw invalid(
        "file",
        "malformed",
        "`file` is no file: its part needs a file name (curl: -F file=@name).",
      );
    if (field !== "options") throw unknownPart(field);
    if (this.#options !== undefined) throw invalid("options", "exactly_one", "Send `options` once.");
    if (isCut) throw invalid("options", "too_long", "`options` may have at most 256 KB.");
    this.#options = value;
  }

  form(): Form {
    if (!this.#file) throw invalid("file", "required", "The form has no part `file`.");
    if (this.#size === 0) throw invalid("file", "empty", "The file is empty.");
    const options = this.#options?.trim();
    return {
      file: { ...this.#file, size: this.#size, pieces: this.#pieces },
      options: options ? parseObject(Buffer.from(options), "options") : undefined,
    };
  }
}

/** The end of a long name says what it is. */
function shortened(name: string): string {
  return name.toWellFormed().slice(-255);
}

function unknownPart(field: string): Error {
  const name = field.slice(0, 100).toWellFormed();
  return invalid(
    name,
    "unknown_field",
    `The form has a part \`${name}\`; it takes \`file\` and \`options\`.`,
  );
}

function tooLarge(maxBytes: number): Error {
  return fail("payload_too_large", `The file may have at most ${maxBytes / 1024 / 1024} MB.`);
}

function endedEarly(cause?: unknown): Error {
  return fail("malformed_request", "The form ended early, or is malformed.", {}, cause);
}
