/** Run as a process of its own by carried-browser.ts, with the variables that the package reads. */
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
