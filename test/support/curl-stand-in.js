/** Does what the lines of the banner and the playground ask of curl, on a machine without it: `-s URL -H header… -d body`. */
const [, , ...words] = process.argv;
const headers = {};
let url;
let body;
while (words.length > 0) {
  const word = words.shift();
  if (/^-[sS]+$/.test(word)) continue;
  if (word === "-H") {
    const [name, value] = words.shift().split(/:\s*/, 2);
    headers[name] = value;
  } else if (word === "-d") body = words.shift();
  else if (word.startsWith("-")) throw new Error(`unknown option ${word}`);
  else url = word;
}
const response = await fetch(url, { method: body === undefined ? "GET" : "POST", headers, body });
process.stdout.write(await response.text());
