/* The theme of the system, or the one that the reader chose. `first-paint.ts` sets it before this runs. */
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

export const theme = signal<Theme>((document.documentElement.dataset.theme as Theme | undefined) ?? "system");

export function keepTheme(): void {
  effect(() => {
    const chosen = theme.value;
    if (chosen === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    keep(chosen);
  });
}

function keep(chosen: Theme): void {
  try {
    if (chosen === "system") localStorage.removeItem("magpie.theme");
    else localStorage.setItem("magpie.theme", chosen);
  } catch (error) {
    // A browser may forbid storage; then the choice holds until the page is loaded again.
    console.info("the theme is not kept", error);
  }
}
