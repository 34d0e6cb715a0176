import { createPrivateKey, X509Certificate } from "node:crypto";
import type { ClientCertificate } from "../../../mixins/egress/agent.ts";
import { invalid } from "../../contracts/errors.ts";
import type { Vault } from "./vault.ts";

/** A client certificate, as its owner gives it. */
interface Given {
  certificate: string;
  private_key: string;
}

/** What answers show of one. */
export interface ShownCertificate {
  subject: string;
  /** SHA-256 of the certificate, in hexadecimal digits with colons. */
  fingerprint: string;
  /** ISO 8601. */
  expires_at: string;
}

/** The stored fields of a certificate: what is shown, and all of it, encrypted for this webhook. */
export interface CertificateFields {
  clientCertificate: ShownCertificate | null;
  sealedCertificate: string | null;
}

/** Throws a 400 for what is no certificate, or a key that is not the certificate's. */
export function certificateFields(
  vault: Pick<Vault, "sealHeaders">,
  webhookId: string,
  given: Given | null | undefined,
): Partial<CertificateFields> {
  if (given === undefined) return {};
  if (given === null) return { clientCertificate: null, sealedCertificate: null };
  const certificate = parsedCertificate(given.certificate);
  checkKey(certificate, given.private_key);
  const { certificate: cert, private_key } = given;
  return {
    clientCertificate: {
      subject: certificate.subject,
      fingerprint: certificate.fingerprint256,
      expires_at: certificate.validToDate.toISOString(),
    },
    sealedCertificate: vault.sealHeaders(nameOf(webhookId), { certificate: cert, private_key }),
  };
}

/** What connections to an endpoint show; undefined for one without a certificate. */
export function clientCertificateOf(
  vault: Pick<Vault, "unsealHeaders">,
  { webhookId, clientCertificate, sealedCertificate }: { webhookId: string } & Partial<CertificateFields>,
): ClientCertificate | undefined {
  if (!clientCertificate || !sealedCertificate) return undefined;
  const { certificate = "", private_key = "" } = vault.unsealHeaders(nameOf(webhookId), sealedCertificate);
  return { fingerprint: clientCertificate.fingerprint, certificate, privateKey: private_key };
}

function nameOf(webhookId: string): string {
  return `${webhookId} certificate`;
}

function parsedCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    const message = "This is no certificate as PEM: it begins with -----BEGIN CERTIFICATE-----.";
    throw invalid("client_certificate.certificate", "malformed", message);
  }
}

function checkKey(certificate: X509Certificate, pem: string): void {
  const field = "client_certificate.private_key";
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey(pem);
  } catch {
    const message =
      "This is no private key as PEM without a passphrase: it begins with -----BEGIN PRIVATE KEY-----.";
    throw invalid(field, "malformed", message);
  }
  if (!certificate.checkPrivateKey(key))
    throw invalid(field, "contradiction", "This key is not the one of the certificate.");
}
