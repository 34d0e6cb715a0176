/* Starts the dashboard: asks who is signed in, and shows it. */

import { render } from "preact";
import type { Session } from "../services/contracts/session.contract.ts";
import { html } from "./html.ts";
import { toast } from "./parts/toast.ts";
import { followLinks } from "./shell/address.ts";
import { App } from "./shell/app.ts";
import { ApiError, get } from "./shell/client.ts";
import { session } from "./shell/session.ts";
import { keepTheme } from "./shell/theme.ts";

keepTheme();
followLinks();
render(html`<${App} />`, document.getElementById("app") as HTMLElement);

try {
  session.value = (await get<{ data: Session }>("/session")).data;
} catch (error) {
  session.value = null;
  if (!(error instanceof ApiError) || error.status !== 401) toast.failed(error);
}
