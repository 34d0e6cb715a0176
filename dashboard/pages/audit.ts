/* The audit log: what people and keys have done, with filters and a download. For administrators. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { AuditEvent } from "../../services/contracts/audit.contract.ts";
import { html } from "../html.ts";
import { KeyName } from "../jobs/key-cell.ts";
import { type Filter, Filters, List, useList } from "../parts/list.ts";
import { Empty, Mark } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { link, query } from "../shell/address.ts";
import { open } from "../shell/client.ts";
import { Head, type Page } from "../shell/page.ts";

const names = ["actor", "type", "owner", "key_id", "since", "until"];

const filters: Filter[] = [
  {
    name: "actor",
    label: "Who",
    options: [
      ["", "Anybody"],
      ["admin", "The administrator"],
      ["owner", "Owners"],
      ["key", "API keys"],
      ["nobody", "Nobody: refused sign-ins"],
    ],
  },
  { name: "type", label: "Operation" },
  { name: "owner", label: "Owner" },
  { name: "key_id", label: "Key id" },
  { name: "since", label: "Since (UTC)", type: "date" },
  { name: "until", label: "Before (UTC)", type: "date" },
];

/** `createApiKey` as "Create api key". */
function words(operation: string): string {
  const text = operation.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const actors: Record<AuditEvent["data"]["actor"]["role"], string> = {
  admin: "Administrator",
  owner: "Owner",
  key: "API key",
  nobody: "Nobody",
};

function Who({ actor }: Pick<AuditEvent["data"], "actor">): VNode {
  const { role, owner, key_id } = actor;
  return html`${actors[role]}${owner !== null && html` ${role === "key" && "of "}<span class="breaks">${owner}</span>`}
    ${
      key_id !== null &&
      html`<span class="below soft">${role === "key" ? "key" : "as the key"} <a href=${link("/audit", { key_id })} title=${key_id}><${KeyName} id=${key_id} /></a></span>`
    }`;
}

/** What it was done to, and the fields that were sent. */
function What({ operation, path, target, fields }: AuditEvent["data"]): VNode {
  const of = [...new Set([...Object.values(path), target ?? ""])].join(" ").trim();
  return html`<span title=${operation}>${words(operation)}</span>
    ${of && html`<code class="below soft breaks">${of}</code>`}
    ${fields.length > 0 && html`<span class="below soft breaks">${fields.join(", ")}</span>`}`;
}

const columns: Column<AuditEvent>[] = [
  { title: "Act", isMain: true, cell: ({ data }) => html`<${What} ...${data} />` },
  { title: "Who", cell: ({ data }) => html`<${Who} actor=${data.actor} />` },
  {
    title: "Outcome",
    cell: ({ data: { status, code } }) =>
      html`<${Mark} kind=${status < 400 ? "good" : "bad"}>${code ?? status}<//>`,
  },
  { title: "From", cell: ({ data: { client } }) => html`<code class="breaks">${client}</code>` },
  { title: "When", cell: ({ timestamp }) => html`<${Time} at=${timestamp} />` },
];

/** Longer than a year of acts takes to download. */
const patienceMs = 600_000;

async function download(as: "csv" | "jsonl"): Promise<void> {
  const chosen = Object.fromEntries(names.map(name => [name, query(name)]));
  const signal = AbortSignal.timeout(patienceMs);
  const response = await open("GET", "/internal/audit/export", { query: { ...chosen, as }, signal });
  const url = URL.createObjectURL(await response.blob());
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = `audit.${as}`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function Audit(): VNode {
  const list = useList<AuditEvent>("/internal/audit", names);
  const isLoading = useSignal(false);
  const save = (as: "csv" | "jsonl") => () => {
    isLoading.value = true;
    download(as)
      .catch(toast.failed)
      .finally(() => {
        isLoading.value = false;
      });
  };
  return html`<${Head} title="Audit" lead="What people and keys have changed, and refused sign-ins; the newest first.">
      <button type="button" onClick=${save("csv")} disabled=${isLoading.value}>Download CSV</button>
      <button type="button" onClick=${save("jsonl")} disabled=${isLoading.value}>Download JSON Lines</button>
    <//>
    <${Filters} filters=${filters} />
    <${List} list=${list} caption="Acts" columns=${columns} id=${({ id }: AuditEvent) => id}
      empty=${html`<${Empty} title="Nothing was done yet"><p>Acts are shown from the first sign-in on.</p><//>`} />`;
}

export const auditPage: Page = {
  path: "/audit",
  title: "Audit",
  section: "home",
  roles: ["admin"],
  view: Audit,
};
