/* The names of event types for people. The type checker finds a type that is missing here. */
import type { EventType } from "../../services/contracts/events.ts";

export const typeNames: Record<EventType, string> = {
  "rss.item.created": "New entry",
  "rss.item.updated": "Changed entry",
  "web.page.changed": "Changed page",
  "site.page.added": "New page",
  "site.page.changed": "Changed page of a site",
  "site.page.removed": "Page gone",
  "site.page.moved": "Page moved",
  "site.changed": "Whole site changed",
  "site.checked": "Site checked",
  "web.item.created": "New entry of a list",
  "search.result.found": "New result",
  "microblog.post.created": "New post",
  "chatserver.message.created": "Chat message",
  "messenger.message.created": "Messenger message",
  "microblog.post.updated": "Edited post",
  "microblog.post.deleted": "Deleted post",
  "chatserver.message.updated": "Edited chat message",
  "chatserver.message.deleted": "Deleted chat message",
  "messenger.message.updated": "Edited messenger message",
  "messenger.message.deleted": "Deleted messenger message",
  "source.failing": "Source fails",
  "source.recovered": "Source recovered",
  "source.gone": "Source gone",
  "source.gap": "Items may be lost",
  "monitor.page": "Page of a monitor",
  "monitor.checked": "Monitor checked",
  "quota.warning": "Quota nearly used up",
  "quota.exceeded": "Quota used up",
  "endpoint.failing": "Webhook fails",
  "endpoint.failed": "Webhook stopped",
  "endpoint.recovered": "Webhook recovered",
  "webhook.test": "Test",
  "event.erased": "Erased",
};

export function typeName(type: string): string {
  return type in typeNames ? typeNames[type as EventType] : type;
}
