/* The sign-in form, with three ways to sign in. The address stays the same, so the requested page appears afterwards. */

import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Session } from "../../services/contracts/session.contract.ts";
import { html } from "../html.ts";
import { Field, sentence } from "../parts/form.ts";
import { ApiError, post } from "../shell/client.ts";
import { Brand } from "../shell/frame.ts";
import { hasEnded, type Role, session } from "../shell/session.ts";

const ways: { role: Role; name: string; wrong: string }[] = [
  {
    role: "admin",
    name: "Administrator",
    wrong:
      "This is not the admin key. The admin key is the setting ADMIN_KEY, or adminKey in credentials.json in the data folder.",
  },
  {
    role: "owner",
    name: "Owner",
    wrong: "The owner or the password is wrong. An administrator can make a link that sets a new password.",
  },
  {
    role: "key",
    name: "API key",
    wrong: "There is no such API key. Check that you copied all of it. A deleted key can no longer be used.",
  },
];

export function SignIn(): VNode {
  const way = useSignal<Role>("admin");
  const isBusy = useSignal(false);
  const problem = useSignal("");
  const waitS = useSignal(0);
  useEffect(() => {
    document.title = "Sign in · Magpie";
  }, []);
  useCountdown(waitS);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.value || waitS.value > 0) return;
    const values = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement));
    isBusy.value = true;
    problem.value = "";
    try {
      session.value = (await post<{ data: Session }>("/session", values)).data;
      hasEnded.value = false;
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status === 401;
      problem.value = isWrong ? (ways.find(({ role }) => role === way.value)?.wrong ?? "") : sentence(error);
      if (error instanceof ApiError && error.retryAfter) {
        problem.value = "There were too many wrong attempts from here.";
        waitS.value = error.retryAfter;
      }
    }
    isBusy.value = false;
  };
  const choose = (role: Role) => {
    way.value = role;
    problem.value = "";
  };
  return html`<main class="gate">
    <${Brand} />
    <h1>Sign in</h1>
    <p class="lead" role="status">${hasEnded.value ? "Your session has ended. After you sign in, you see this page again." : ""}</p>
    <form class="form panel" onSubmit=${submit} aria-busy=${isBusy.value}>
      <fieldset class="ways"><legend class="unseen">Sign in as</legend>
        ${ways.map(
          ({
            role,
            name,
          }) => html`<label key=${role}><input type="radio" name="" value=${role} checked=${way.value === role}
            onChange=${() => choose(role)} /><span>${name}</span></label>`,
        )}
      </fieldset>
      <${Credentials} key=${way.value} role=${way.value} />
      <p class="form-error" role="alert">${problem.value}</p>
      <div class="form-actions">
        <button type="submit" class="is-main" disabled=${waitS.value > 0} aria-disabled=${isBusy.value}>
          ${waitS.value > 0 ? html`Try again in <span class="number">${waitS.value}</span> s` : "Sign in"}</button>
      </div>
    </form>
  </main>`;
}

/** The fields of one way to sign in, under the names of `POST /session`. */
function Credentials({ role }: { role: Role }): VNode {
  if (role === "owner")
    return html`<${Field} label="Owner"><input name="owner" required autocomplete="username" autocapitalize="none" spellcheck=${false} /><//>
      <${Field} label="Password"><input name="password" type="password" required autocomplete="current-password" /><//>`;
  if (role === "key")
    return html`<${Field} label="API key" hint="You can see and do what this key can.">
      <input name="api_key" type="password" required autocomplete="off" spellcheck=${false} /><//>`;
  return html`<${Field} label="Admin key" hint=${html`The setting <code>ADMIN_KEY</code>, or <code>adminKey</code> in <code>credentials.json</code> in the data folder.`}>
    <input name="admin_key" type="password" required autocomplete="current-password" spellcheck=${false} /><//>`;
}

function useCountdown(seconds: { value: number }): void {
  const isRunning = seconds.value > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      seconds.value = Math.max(0, seconds.value - 1);
    }, 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
}
