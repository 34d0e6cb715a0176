import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as the server got it. */
export interface ReceivedMail {
  to: string;
  raw: string;
  /** Header fields without their folds, by names in small letters. */
  headers: Map<string, string[]>;
  /** The parts as text, by media type. */
  parts: Map<string, string>;
  /** `Message-ID` with its brackets. */
  id: string;
}

type Stage = "connect" | "recipient" | "content";
type Behaviour = (mail: { to: string; stage: Stage; raw: string }) => string | undefined;

export interface MailServer {
  url: string;
  /** What was accepted. */
  mails: ReceivedMail[];
  /** How often each stage was reached. */
  asked: Record<Stage, number>;
  /** `450 4.2.0 Later` and the like refuse; undefined accepts. */
  behave(behaviour: Behaviour): void;
  /** Mails that were taken and are never answered. */
  hold(holds: () => boolean): void;
  close(): Promise<void>;
}

/** An SMTP server on a free port of this machine. */
export async function startMailServer({ login }: { login?: string } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const asked = { connect: 0, recipient: 0, content: 0 };
  let behaviour: Behaviour = () => undefined;
  let holds = () => false;
  const judge = (stage: Stage, to: string, raw = ""): Error | undefined => {
    asked[stage] += 1;
    const refusal = behaviour({ stage, to, raw });
    if (refusal === undefined) return undefined;
    return Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) });
  };
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      `${username}:${password}` === login
        ? done(null, { user: username })
        : done(new Error("535 5.7.8 Wrong password")),
    onConnect: (_session, done) => done(judge("connect", "")),
    onRcptTo: ({ address }, _session, done) => done(judge("recipient", address)),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        const raw = Buffer.concat(chunks).toString();
        const to = envelope.rcptTo[0]?.address ?? "";
        const refused = judge("content", to, raw);
        if (!refused) mails.push(readMail(to, raw));
        if (!holds()) done(refused);
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const user = login === undefined ? "" : `${login}@`;
  return {
    url: `smtp://${user}127.0.0.1:${port}`,
    mails,
    asked,
    behave: next => {
      behaviour = next;
    },
    hold: next => {
      holds = next;
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

/** Header fields and parts of a message. */
export function readMail(to: string, raw: string): ReceivedMail {
  const headers = fieldsOf(raw);
  const parts = new Map<string, string>();
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.get("content-type")?.[0] ?? "") ?? [];
  for (const part of boundary ? raw.split(`--${boundary}`).slice(1, -1) : [raw]) {
    const whole = part.replace(/^\r\n/, "");
    const fields = fieldsOf(whole);
    const type = fields.get("content-type")?.[0]?.split(";")[0] ?? "text/plain";
    const body = whole.slice(whole.indexOf("\r\n\r\n") + 4);
    const text = decoded(body, fields.get("content-transfer-encoding")?.[0] ?? "7bit");
    parts.set(type, text.replaceAll("\r\n", "\n"));
  }
  return { to, raw, headers, parts, id: headers.get("message-id")?.[0] ?? "" };
}

function fieldsOf(raw: string): Map<string, string[]> {
  const end = raw.indexOf("\r\n\r\n");
  const fields = new Map<string, string[]>();
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, "")
    .split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
    fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), value]);
  }
  return fields;
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

/** The path of the first link for a purpose in a mail. */
export function linkIn(mail: ReceivedMail | undefined, purpose: "confirm" | "unsubscribe"): string {
  const text = mail?.parts.get("text/plain") ?? "";
  return new RegExp(`/mail/${purpose}/[\\w.-]+`).exec(text)?.[0] ?? "";
}
