/**
 * Why the service does not request a URL, each with the words that a client reads. Every rule but the last follows from the
 * spelling of the URL, so an answer says nothing about a network; the last does not say where the name leads.
 */
export const refusalReasons = {
  scheme: "only http and https URLs are requested",
  credentials: "a URL may not hold a user name or a password",
  port: "its port is one that browsers refuse, as 6000, 6665 to 6669 and 10080 are",
  loopback_address: "its address is a loopback address, which is the machine itself",
  private_address: "its address belongs to a private network",
  link_local_address: "its address is link-local, as that of a cloud's metadata is",
  reserved_address: "its address is not one of the public internet",
  internal_name:
    "its name belongs to a private network: it has no dot, or an ending such as .local or .internal",
  https_only: "only https URLs are accepted here, because a webhook carries what you track",
  resolved_address: "its name does not lead to the public internet",
} as const;

export type RefusalRule = keyof typeof refusalReasons;

/** Where the guide says what is refused, and how an operator allows it. */
export const refusalGuide = "/guide/your-own-network";

/** What was refused, as the subject of the message. */
export const refusedSubjects = {
  url: "This URL is not allowed",
  redirect: "The page redirects to a URL that is not allowed",
  page: "The page leads to a URL that is not allowed",
} as const;

export type RefusedSubject = keyof typeof refusedSubjects;

/** A refusal in words, with the page of the guide where an operator can allow it. */
export function refusalMessage(rules: readonly RefusalRule[], subject: RefusedSubject = "url"): string {
  const reasons = rules.map(rule => refusalReasons[rule]).join(", and ");
  const guide = rules.some(rule => permissible(rule)) || rules.length === 0 ? ` See ${refusalGuide}.` : "";
  return `${refusedSubjects[subject]}${reasons && `: ${reasons}`}.${guide}`;
}

/** The setting under which an operator would permit what a rule refused; undefined where none does. */
export function permittingSetting(rule: RefusalRule, host: string, port: number): string | undefined {
  if (!permissible(rule)) return undefined;
  if (rule === "https_only") return "WEBHOOK_ALLOW_HTTP=true";
  return `EGRESS_ALLOW=${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function permissible(rule: RefusalRule): boolean {
  return rule !== "scheme" && rule !== "credentials";
}
