import { clip, clipBytes } from "./clip.ts";
import { discordMessage } from "./discord.ts";
import { bodyOf, plainBody, titleOf, worstOf } from "./message-text.ts";
import { type BuiltInFormat, builtIns, isBuiltIn } from "./messages.ts";
import { type News, newsOf } from "./news.ts";
import { slackMessage } from "./slack.ts";
import { templateProblem } from "./template.ts";

/**
 * How an endpoint wants its events. `standard` is the event as it is, in the envelope of Standard Webhooks; `firecrawl` is for
 * programs that take webhooks of Firecrawl, and `cloudevents` for those that take CloudEvents.
 */
export type Format = ProgramsFormat | BuiltInFormat | "slack" | "discord" | "ntfy" | "apprise" | "text";

const ofPrograms = ["standard", "firecrawl", "cloudevents", "cloudevents-binary"] as const;
/** The formats that are made for programs. */
type ProgramsFormat = (typeof ofPrograms)[number];

/** The formats that are made for people here, with or without a template; the others for people are built in as JSONata. */
export type PeoplesFormat = Exclude<Format, ProgramsFormat | BuiltInFormat>;

export function isForPrograms(format: Format): format is ProgramsFormat {
  return ofPrograms.some(each => each === format);
}

export interface Message {
  /** Where it is sent: the endpoint, or what the receiver's API wants instead. */
  url: URL;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
  /** POST by default. */
  method?: "PUT" | undefined;
}

/** What is wrong with an endpoint's format, as the field and a sentence that begins with a verb; undefined: nothing. */
export function formatProblem(
  format: Format,
  template: string | null,
  url: URL,
): { field: "template" | "url"; problem: string } | undefined {
  const problem = template === null ? undefined : templateProblem(template);
  if (problem !== undefined) return { field: "template", problem };
  if (template !== null && isForPrograms(format))
    return { field: "template", problem: `needs another \`format\`: \`${format}\` is sent as it is.` };
  const shape = isBuiltIn(format) ? builtIns[format].problem(url) : undefined;
  if (shape !== undefined) return { field: "url", problem: `must be ${shape}.` };
  if (format === "ntfy" && !ntfyTopic.test(topicOf(url).topic))
    return {
      field: "url",
      problem: "must end with the topic, up to 64 letters, digits, - and _, as https://ntfy.sh/mytopic does.",
    };
  return undefined;
}

const json = "application/json";
/** What ntfy takes for the name of a topic. */
const ntfyTopic = /^[-_A-Za-z0-9]{1,64}$/;
/** https://docs.ntfy.sh/publish/#limitations: a longer message would become an attachment. */
const ntfyBytes = 4_096;
const titleLength = 250;
/** Apprise cuts to what each service takes; this bounds what it has to read. */
const bodyLength = 30_000;

/**
 * Makes one message of an event or a batch of them, within the limits of the receiver. `events` are JSON; `template` replaces
 * the usual text, once for each event.
 */
export function formatted(
  format: PeoplesFormat,
  template: string | null,
  url: URL,
  events: readonly string[],
): Message {
  const news = events.map(newsOf);
  if (format === "slack")
    return { url, contentType: json, body: JSON.stringify(slackMessage(news, template)) };
  if (format === "discord")
    return { url, contentType: json, body: JSON.stringify(discordMessage(news, template)) };
  if (format === "ntfy") return ntfyMessage(url, news, template);
  if (format === "apprise")
    return { url, contentType: json, body: JSON.stringify(appriseMessage(news, template)) };
  return { url, contentType: "text/plain; charset=utf-8", body: plainBody(news, template) };
}

/**
 * As JSON to the server's root, since headers carry neither line breaks nor every character
 * (https://docs.ntfy.sh/publish/#publish-as-json). The topic is the last part of the endpoint's path.
 */
function ntfyMessage(endpoint: URL, news: readonly News[], template: string | null): Message {
  const { topic, url } = topicOf(endpoint);
  const link = news.length === 1 ? news[0]?.url : null;
  const mood = worstOf(news);
  const body = {
    topic,
    title: clip(titleOf(news), titleLength),
    message: clipBytes(bodyOf(news, template, ntfyBytes) || titleOf(news), ntfyBytes),
    ...(link && { click: link }),
    ...(mood !== "info" && { tags: [mood === "success" ? "white_check_mark" : "warning"] }),
  };
  return { url, contentType: json, body: JSON.stringify(body) };
}

function topicOf(endpoint: URL): { topic: string; url: URL } {
  const url = new URL(endpoint);
  const parts = url.pathname.split("/").filter(Boolean);
  const topic = parts.pop() ?? "";
  url.pathname = `/${parts.join("/")}`;
  return { topic, url };
}

/** What `POST /notify/{key}` of an Apprise API takes; `tag` goes by its own configuration, `all` means each service. */
function appriseMessage(news: readonly News[], template: string | null): object {
  const harmless = news.map(each => ({
    ...each,
    title: unmentioned(each.title),
    text: unmentioned(each.text),
  }));
  return {
    title: clip(titleOf(harmless), titleLength),
    // Apprise refuses an empty body.
    body: bodyOf(harmless, template, bodyLength, unmentioned) || titleOf(harmless),
    type: worstOf(news),
    tag: "all",
    format: "text",
  };
}

/** Between the sign and the name of a mention; nobody sees it. */
const gap = "\u200b";

/**
 * A text in which nobody is mentioned by the services that Apprise passes it on to: it makes mentions of Discord out of
 * `@everyone` and `<@1>` by itself, and Slack and others read such marks as well.
 */
function unmentioned(text: string): string {
  return text
    .replace(/<(?=[@!#])/g, `<${gap}`)
    .replace(/@(?=(?:everyone|here|channel|all)\b|[&!]?\d)/gi, `@${gap}`);
}
