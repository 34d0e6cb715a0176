/* The page on which an owner changes its password. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { navigate } from "../shell/address.ts";
import { put } from "../shell/client.ts";
import { Head, type Page } from "../shell/page.ts";

function Password(): VNode {
  const change = async ({ current_password, new_password, again }: Record<string, string>) => {
    if (new_password !== again) throw new Error("The two new passwords differ.");
    await put("/session/password", { current_password, new_password });
    toast("Your password is changed.");
    navigate("/");
  };
  return html`<${Head} title="Change password" lead="This ends your sessions in other browsers." />
    <div class="panel is-narrow"><${Form} action="Change password" onSubmit=${change}>
      <${Field} label="Current password"><input name="current_password" type="password" required autocomplete="current-password" /><//>
      <${Field} label="New password" hint="At least 10 characters."><input name="new_password" type="password" required minlength="10" maxlength="200" autocomplete="new-password" /><//>
      <${Field} label="Repeat the password"><input name="again" type="password" required autocomplete="new-password" /><//>
    <//></div>`;
}

export const passwordPage: Page = {
  path: "/password",
  title: "Change password",
  roles: ["owner"],
  view: Password,
};
