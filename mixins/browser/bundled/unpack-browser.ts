/** bundled-browser.ts runs this as a process of its own, with the variables that the package reads. */
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
