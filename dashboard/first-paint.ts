/*
 * Runs before the page is painted, so that a reader who chose a theme never sees the other one. It is no module, because a
 * browser runs modules only after the page is parsed.
 */
try {
  const chosen = localStorage.getItem("magpie.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (error) {
  // A browser may forbid storage; then the theme of the system holds.
  console.info("the theme is not kept", error);
}
