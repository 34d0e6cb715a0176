/* The sign-in form: a key of either kind, or an owner with its password. The address stays the same, so the requested page appears afterwards. */

import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../../services/contracts/session.contract.ts";
import { html } from "../html.ts";
import { Field, sentence } from "../parts/form.ts";
import { ApiError, post } from "../shell/client.ts";
import { Brand } from "../shell/frame.ts";
import { focusNext } from "../shell/page.ts";
import { hasEnded, session } from "../shell/session.ts";

type Way = "key" | "owner";

const ways: { way: Way; name: string; wrong: string }[] = [
  {
    way: "key",
    name: "Key",
    wrong:
      "This is neither the admin key nor an API key. Check that you copied all of it: a deleted key can no longer be used. The admin key is the setting ADMIN_KEY, or adminKey in credentials.json in the data folder.",
  },
  {
    way: "owner",
    name: "Owner and password",
    wrong: "The owner or the password is wrong. An administrator can make a link that sets a new password.",
  },
];

export function SignIn(): VNode {
  const chosen = useSignal<Way>("key");
  const form = useRef<HTMLFormElement>(null);
  const isBusy = useSignal(false);
  const problem = useSignal("");
  const waitS = useSignal(0);
  useEffect(() => {
    document.title = "Sign in · Magpie";
    form.current?.querySelector<HTMLInputElement>("input[name=key]")?.focus();
  }, []);
  useCountdown(waitS);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.value || waitS.value > 0) return;
    const { way, ...values } = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement));
    isBusy.value = true;
    problem.value = "";
    try {
      const { data } = await post<{ data: Session }>("/session", values);
      focusNext();
      session.value = data;
      hasEnded.value = false;
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status === 401;
      problem.value = isWrong ? (ways.find(each => each.way === way)?.wrong ?? "") : sentence(error);
      if (error instanceof ApiError && error.retryAfter) {
        problem.value = "There were too many wrong attempts from here.";
        waitS.value = error.retryAfter;
      }
    }
    isBusy.value = false;
  };
  const choose = (way: Way) => {
    chosen.value = way;
    problem.value = "";
  };
  return html`<main class="gate">
    <${Brand} />
    <h1>Sign in</h1>
    <p class="lead" role="status">${hasEnded.value ? "Your session has ended. After you sign in, you see this page again." : ""}</p>
    <form class="form panel" ref=${form} onSubmit=${submit} aria-busy=${isBusy.value}>
      <fieldset class="ways"><legend class="unseen">Sign in as</legend>
        ${ways.map(
          ({
            way,
            name,
          }) => html`<label key=${way}><input type="radio" name="way" value=${way} checked=${chosen.value === way}
            onChange=${() => choose(way)} /><span>${name}</span></label>`,
        )}
      </fieldset>
      <${Credentials} key=${chosen.value} way=${chosen.value} />
      <p class="form-error" role="alert">${problem.value}</p>
      <div class="form-actions">
        <button type="submit" class="is-main" disabled=${waitS.value > 0} aria-disabled=${isBusy.value}>
          ${waitS.value > 0 ? html`Try again in <span class="number">${waitS.value}</span> s` : "Sign in"}</button>
      </div>
    </form>
  </main>`;
}

/** The fields of one way to sign in, under the names of `POST /session`. */
function Credentials({ way }: { way: Way }): VNode {
  if (way === "owner")
    return html`<${Field} label="Owner"><input name="owner" required autocomplete="username" autocapitalize="none" spellcheck=${false} /><//>
      <${Field} label="Password"><input name="password" type="password" required autocomplete="current-password" /><//>`;
  return html`<${Field} label="Admin key or API key" hint=${html`With an API key you see and do what this key can. The admin key is the setting <code>ADMIN_KEY</code>, or <code>adminKey</code> in <code>credentials.json</code> in the data folder.`}>
    <input name="key" type="password" required autocomplete="current-password" spellcheck=${false} /><//>`;
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
