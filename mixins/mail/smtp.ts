import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";

/** What became of a mail. */
export type Receipt =
  | { result: "accepted"; code: number; text: string }
  /** The server refused it. `stage`: whom or what it refused. `isFinal`: it would again (5xx). */
  | {
      result: "refused";
      code: number;
      text: string;
      stage: "session" | "recipient" | "content";
      isFinal: boolean;
    }
  /** No answer that counts. */
  | { result: "unsent"; reason: "timeout" | "tls" | "connection" };

interface Envelope {
  from: string;
  to: string[];
}

/** The fields of Nodemailer's errors. */
interface SmtpError {
  name?: string;
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

/** How the server is reached, and who we are there. */
export interface MailServer {
  options: SMTPConnectionOptions;
  login?: { user: string; pass: string };
}

/** A password goes out over TLS only, unless the server is on this machine. */
export function serverOf(text: string): MailServer {
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const isHere = host === "localhost" || host === "::1" || /^127\./.test(host);
  const options = {
    host,
    secure,
    ...(port !== "" && { port: Number(port) }),
    requireTLS: !secure && username !== "" && !isHere,
    allowInternalNetworkInterfaces: true,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
  };
  if (username === "") return { options };
  return { options, login: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
}

/** Sends one message over a connection of its own. Rejects with the signal's reason once it fires. */
export async function exchange(
  { options, login }: MailServer,
  envelope: Envelope,
  message: Buffer,
  signal: AbortSignal,
): Promise<Receipt> {
  const { default: SMTPConnection } = await import("nodemailer/lib/smtp-connection");
  signal.throwIfAborted();
  const connection = new SMTPConnection(options);
  let giveUp: (() => void) | undefined;
  try {
    return await new Promise<Receipt>((resolve, reject) => {
      giveUp = () => reject(signal.reason);
      signal.addEventListener("abort", giveUp, { once: true });
      connection.once("error", reject);
      connection.once("end", () => reject(new Error("The server has closed the connection")));
      const send = () =>
        connection.send(envelope, message, (error, info) =>
          error ? reject(error) : resolve({ result: "accepted", ...replyOf(info?.response, 250) }),
        );
      connection.connect(error => {
        if (error) reject(error);
        else if (login) connection.login({ ...login }, refused => (refused ? reject(refused) : send()));
        else send();
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    return receiptOf(error as SmtpError);
  } finally {
    if (giveUp) signal.removeEventListener("abort", giveUp);
    // What a connection says when it is over is of no interest.
    connection.on("error", () => undefined);
    connection.close();
  }
}

/** The receipt of a mail that an error or a signal kept from being answered. */
export function unsent(error: unknown): Receipt {
  const isLate = (error as Error | null)?.name === "TimeoutError";
  return { result: "unsent", reason: isLate ? "timeout" : "connection" };
}

function receiptOf({ code = "", responseCode, response, command = "" }: SmtpError): Receipt {
  // What the server answers to a login concerns the operator, and may name the user.
  if (code === "EAUTH" || responseCode === undefined || responseCode < 400)
    return { result: "unsent", reason: reasonOf(code) };
  return {
    result: "refused",
    ...replyOf(response, responseCode),
    stage: stageOf(command),
    // 503 says that the session went wrong (RFC 5321, 4.2.4).
    isFinal: responseCode >= 500 && responseCode !== 503,
  };
}

function reasonOf(code: string): "timeout" | "tls" | "connection" {
  if (code === "ETIMEDOUT") return "timeout";
  return code === "ETLS" ? "tls" : "connection";
}

function stageOf(command: string): "session" | "recipient" | "content" {
  if (/^RCPT/i.test(command)) return "recipient";
  return /^DATA/i.test(command) ? "content" : "session";
}

const keptLength = 2_048;

function replyOf(response: string | undefined, code: number): { code: number; text: string } {
  const [, stated] = /^(\d{3})/.exec(response ?? "") ?? [];
  return { code: stated ? Number(stated) : code, text: (response ?? "").slice(0, keptLength) };
}
