/* Sessions at sites of the acting key: where it is signed in, and why not. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SiteSession } from "../../services/contracts/site-sessions.contract.ts";
import { html } from "../html.ts";
import { Confirm } from "../parts/dialog.ts";
import { List, useList } from "../parts/list.ts";
import { Empty, Mark } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { remove } from "../shell/client.ts";
import { Head, type Page } from "../shell/page.ts";

function SiteSessions(): VNode {
  const list = useList<SiteSession>("/sessions", []);
  const erasing = useSignal<SiteSession | undefined>(undefined);
  const close = () => {
    erasing.value = undefined;
  };
  const erase = async ({ id, name, site }: SiteSession) => {
    await remove(`/sessions/${id}`);
    toast(`The session ${name} at ${site} is erased.`);
    await list.renew();
  };
  return html`<${Head} title="Sessions" lead="Sites where this key reads pages signed in, with your own accounts." />
    <${List} list=${list} caption="Sessions" id=${(row: SiteSession) => row.id} columns=${columnsOf(
      session => {
        erasing.value = session;
      },
    )} empty=${none} />
    ${erasing.value && html`<${Erase} session=${erasing.value} onErase=${erase} onClose=${close} />`}`;
}

function columnsOf(onErase: (session: SiteSession) => void): Column<SiteSession>[] {
  return [
    {
      title: "Session",
      isMain: true,
      isWide: true,
      cell: ({ name, site }) => html`${name}<span class="below faint">${site}</span>`,
    },
    { title: "State", isWide: true, cell: Standing },
    { title: "Last checked", cell: ({ last_checked }) => html`<${Time} at=${last_checked} />` },
    {
      title: "Actions",
      isActions: true,
      cell: session => html`<button type="button" class="is-small" aria-label="Erase ${session.name} at ${session.site}"
        onClick=${() => onErase(session)}>Erase</button>`,
    },
  ];
}

function Standing({ signed_in_since, has_login, problem }: SiteSession): VNode {
  if (problem)
    return html`<${Mark} kind="bad">Not signed in<//><span class="below soft">${problem.message}</span>
      <span class="below faint">Since <${Time} at=${problem.at} /></span>`;
  if (signed_in_since !== null)
    return html`<${Mark} kind="good">Signed in<//><span class="below faint">Since <${Time} at=${signed_in_since} /></span>`;
  const why = has_login ? "The site has not asked for the login." : "It has no login.";
  return html`<${Mark} kind="quiet">Cookies alone<//><span class="below soft">${why}</span>`;
}

interface EraseProps {
  session: SiteSession;
  onErase: (session: SiteSession) => Promise<void>;
  onClose: () => void;
}

function Erase({ session, onErase, onClose }: EraseProps): VNode {
  const { name, site } = session;
  return html`<${Confirm} title="Erase ${name} at ${site}?" action="Erase" onConfirm=${() => onErase(session)} onClose=${onClose}>
    <p>Its cookies, its local storage and its login are erased. Watches and crawls that name it read the site without being
      signed in, until a request brings the login again.</p><//>`;
}

const none = html`<${Empty} title="No session yet">
  <p>A session keeps you signed in at a site of your own account between visits, and signs in again when the site asks. A
    scrape, a crawl or a watch makes one: its field <code>session</code> has a name and a login.</p>
  <a href="/guide/scraping#signed-in">How to sign in</a><//>`;

export const siteSessionsPage: Page = {
  path: "/sessions",
  title: "Sessions",
  section: "read",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: SiteSessions,
};
