import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { fetchPage } from "../../../services/scraper/fetch/fetch-page.ts";
import { type Site, startSite } from "../../support/http-site.ts";

const megabyte = 1024 ** 2;
const size = 200 * megabyte;
const piece = 16 * 1024;
/** After these the site waits: a fetch that reads on ends by its deadline. */
const most = megabyte;

const binary = Buffer.from(Array.from({ length: piece }, (_, at) => (at * 7) % 256));
const video = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");
const archive = Buffer.from(zipSync({ "a/b.bin": binary }, { level: 0 }));

/** An office document that begins with a part that may be in any archive. */
const document = Buffer.from(
  zipSync(
    {
      "docProps/thumbnail.png": Buffer.concat([binary, binary, binary]),
      "word/document.xml": Buffer.from("<w:document/>"),
    },
    { level: 0 },
  ),
);

/** A text of OpenDocument, which says what it is in its first part. */
const openDocument = Buffer.from(
  zipSync(
    {
      mimetype: Buffer.from("application/vnd.oasis.opendocument.text"),
      "Thumbnails/thumbnail.png": Buffer.concat([binary, binary, binary]),
      "content.xml": Buffer.from("<office:document-content/>"),
    },
    { level: 0 },
  ),
);

interface Sent {
  bytes: number;
  closed: Promise<unknown>;
}
let sent: Sent;

/** Sends a beginning, then a piece in each turn of the loop up to `most`, and never an end. */
function send(response: ServerResponse, headers: Record<string, string | number>, start: Buffer): void {
  sent = { bytes: 0, closed: once(response, "close") };
  response.writeHead(200, headers);
  const write = (bytes: Buffer) => {
    sent.bytes += bytes.length;
    return response.write(bytes);
  };
  const more = () => {
    if (response.destroyed || response.socket?.destroyed || sent.bytes >= most) return;
    if (write(binary)) setImmediate(more);
    else response.once("drain", more);
  };
  if (start.length > 0) write(start);
  setImmediate(more);
}

const cases: [
  name: string,
  headers: Record<string, string | number>,
  start: Buffer,
  type: string | undefined,
][] = [
  ["a video", { "content-type": "video/mp4" }, video, "video/mp4"],
  ["a sound", { "content-type": "Audio/MPEG; x=1" }, binary, "audio/mpeg"],
  ["a picture", { "content-type": "image/png" }, binary, "image/png"],
  ["a font", { "content-type": "font/woff2" }, binary, "font/woff2"],
  ["an archive", { "content-type": "application/zip" }, archive, "application/zip"],
  [
    "an archive that says its length",
    { "content-type": "application/zip", "content-length": size },
    archive,
    "application/zip",
  ],
  ["bytes", { "content-type": "application/octet-stream" }, binary, "application/octet-stream"],
  [
    "bytes that say their length",
    { "content-type": "application/octet-stream", "content-length": size },
    binary,
    "application/octet-stream",
  ],
  ["a program", { "content-type": "application/x-msdownload" }, binary, "application/x-msdownload"],
  ["a video without a type", {}, video, "video/mp4"],
  ["a video that is sent as text", { "content-type": "text/plain" }, video, "video/mp4"],
  ["a video that is sent as HTML", { "content-type": "text/html" }, video, "video/mp4"],
  [
    "a packed video without a type",
    { "content-encoding": "gzip" },
    gzipSync(Buffer.concat([video, binary, binary]), { level: 0 }),
    "video/mp4",
  ],
  [
    "a page that says it is too long",
    { "content-type": "text/html", "content-length": size },
    Buffer.from("<p>"),
    undefined,
  ],
];

let site: Site;
let egress: Egress;

beforeAll(async () => {
  const page = `<p>${"A long page. ".repeat(10_000)}`;
  site = await startSite({
    ...Object.fromEntries(
      cases.map(([, headers, start], at) => [
        `/${at}`,
        (_: unknown, response: ServerResponse) => send(response, headers, start),
      ]),
    ),
    "/picture": { headers: { "content-type": "image/png" }, body: binary },
    "/archive": { headers: { "content-type": "application/zip" }, body: archive },
    "/page": page,
    "/page-without-type": (_request, response) => response.end(page),
    "/text": { headers: { "content-type": "application/octet-stream" }, body: page },
    "/docx": { headers: { "content-type": "application/zip" }, body: document },
    "/odt": { headers: { "content-type": "application/octet-stream" }, body: openDocument },
    "/pdf": {
      headers: { "content-type": "application/force-download" },
      body: Buffer.concat([Buffer.from("%PDF-1.7\n"), binary, binary]),
    },
  });
  egress = createEgress({ allow: ["127.0.0.1/32"] });
});
afterAll(async () => {
  await egress.close();
  await site.close();
});

function fetched(path: string) {
  return fetchPage(site.url + path, {
    egress,
    headers: {},
    signal: AbortSignal.timeout(60_000),
    maxBytes: 16 * megabyte,
    skipTlsVerification: false,
  });
}

test.each(cases.map((each, at) => [each[0], at, each[3]] as const))(
  "%s is refused before it is read",
  async (_, at, type) => {
    const failure =
      type === undefined
        ? { type: "upstream_error" }
        : { type: "unsupported_media_type", data: { content_type: type } };
    await expect(fetched(`/${at}`)).rejects.toMatchObject(failure);
    await sent.closed;
  },
);

test.each(["/page", "/page-without-type", "/text", "/docx", "/odt", "/pdf"])("%s is read", async path => {
  expect((await fetched(path)).body.length).toBeGreaterThan(2 * piece - 100);
});

// Node ends a process for an error event that nobody listens to: Jest fails the file.
test.each(["/picture", "/archive"])(
  "%s is refused after it has come as a whole, and nothing else fails",
  async path => {
    for (let round = 0; round < 20; round++)
      await expect(fetched(path)).rejects.toMatchObject({ type: "unsupported_media_type" });
    expect((await fetched("/page")).status).toBe(200);
  },
);
