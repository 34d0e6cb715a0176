const runs = /[ \t\n\f\r]{2,}|[\t\n\f\r]/g;

/** Makes every run of HTML white space one space; a no-break space stays what it is. */
export function collapse(text: string): string {
  return text.replace(runs, " ");
}
