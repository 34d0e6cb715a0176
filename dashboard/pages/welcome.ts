/* The page of an owner's one-time link, which sets the password and signs in. The token is after the #, so no server logs it. */

import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Session } from "../../services/contracts/session.contract.ts";
import { html } from "../html.ts";
import { Field, Form } from "../parts/form.ts";
import { link, navigate } from "../shell/address.ts";
import { post } from "../shell/client.ts";
import { Brand } from "../shell/frame.ts";
import { focusNext } from "../shell/page.ts";
import { session } from "../shell/session.ts";

export function Welcome(): VNode {
  const token = useSignal(location.hash.slice(1));
  useEffect(() => {
    document.title = "Welcome · Magpie";
  }, []);
  const setPassword = async ({ password, again }: Record<string, string>) => {
    if (password !== again) throw new Error("The two passwords differ.");
    const { data } = await post<{ data: Session }>("/session/password", { token: token.value, password });
    focusNext();
    session.value = data;
    navigate("/");
  };
  return html`<main class="gate">
    <${Brand} />
    <h1>Welcome</h1>
    ${
      token.value
        ? html`<p class="lead">Set your password. From then on you sign in with your name and this password.</p>
          <div class="panel"><${Form} action="Set password and sign in" onSubmit=${setPassword}>
            <${Field} label="Password" hint="At least 10 characters.">
              <input name="password" type="password" required minlength="10" maxlength="200" autocomplete="new-password" /><//>
            <${Field} label="Repeat the password">
              <input name="again" type="password" required autocomplete="new-password" /><//>
          <//></div>`
        : html`<p>This link is incomplete: the part after the # is missing. Open it as the administrator sent it, or ask for a new one.</p>
          <p><a href=${link("/")}>Sign in</a></p>`
    }
  </main>`;
}
