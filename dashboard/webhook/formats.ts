/* What requests and mails may look like, by name, and the addresses that go with it. */

/** The names of the formats. */
export const formats = {
  standard: "Standard: signed JSON",
  firecrawl: "As Firecrawl sends them",
  cloudevents: "CloudEvents: JSON",
  "cloudevents-binary": "CloudEvents: attributes in headers",
  slack: "Slack",
  discord: "Discord",
  ntfy: "ntfy",
  apprise: "Apprise",
  teams: "Microsoft Teams",
  telegram: "Telegram",
  matrix: "Matrix",
  pushover: "Pushover",
  gotify: "Gotify",
  text: "Plain text",
} as const;

/** The formats that have no template: programs read them. */
export const ofPrograms: readonly string[] = ["standard", "firecrawl", "cloudevents", "cloudevents-binary"];

/** The hint of the field for the address, by format. */
export const addressHints: Record<string, string> = {
  standard:
    "An HTTPS address of your program, which answers 2xx within 5 seconds, or the time below. Or you@example.com, or the address of Slack, Discord and others with their format below.",
  firecrawl: "An HTTPS address of a program that takes webhooks of Firecrawl.",
  cloudevents:
    "An HTTPS address of a program that takes CloudEvents: a broker of Knative, Event Grid, a gateway.",
  "cloudevents-binary": "An HTTPS address of a program that takes CloudEvents in binary mode.",
  slack: "The address of an incoming webhook: https://hooks.slack.com/services/…",
  discord: "The address of a webhook, from the settings of the channel: https://discord.com/api/webhooks/…",
  ntfy: "The address of a topic: https://ntfy.sh/your-topic",
  apprise: "The address of an Apprise API with its key: https://apprise.example.com/notify/…",
  teams: "The address of a workflow: Post to a channel when a webhook request is received.",
  telegram: "https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>",
  matrix:
    "https://<server>/_matrix/client/v3/rooms/<room>/send/m.room.message, with the header authorization: Bearer …",
  pushover: "https://api.pushover.net/1/messages.json?token=<application>&user=<user>",
  gotify: "https://<server>/message?token=<application>",
  text: "An HTTPS address that takes plain text.",
};

/** The names of the formats of mails. */
export const mailFormats = { standard: "Text and HTML", text: "Plain text" } as const;

/** The names of the intervals of mails. */
export const digestNames = {
  "": "With each event or batch",
  "15m": "Every 15 minutes",
  "1h": "Every hour",
  "1d": "Every day",
} as const;

export const mailHint = "The owner of the address has to confirm a first mail before anything else is sent.";

/** Whether an address is one of mail, with or without `mailto:`. */
export function isMail(url: string): boolean {
  return /^\s*(mailto:|[^\s/:@]+@[^\s/:@]+\s*$)/i.test(url);
}
