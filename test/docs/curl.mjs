/**
 * Stands in for curl when the blocks of the documentation run: sends what they say, to the service and the site of the
 * test in place of localhost:3000 and the public sites, and keeps status and body of each answer in the folder RUN.
 */
import { appendFileSync, openAsBlob, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const { SERVICE = "", SITE = "", RUN = "" } = process.env;
const [, , ...words] = process.argv;
const headers = {};
const atTest = text => text.replace(/https:\/\/(example|github)\.com/g, SITE);
let [url, method, body, file] = [];
while (words.length > 0) {
  const word = words.shift();
  if (/^-[sSN]+$/.test(word)) continue;
  if (word === "-X") method = words.shift();
  else if (word === "-o") file = words.shift();
  else if (word === "-d") body = atTest(words.shift());
  else if (word === "-F") {
    const [, name, isFile, value] = /^([^=]+)=(@?)(.*)$/s.exec(words.shift());
    body ??= new FormData();
    if (isFile) body.append(name, await openAsBlob(value), basename(value));
    else body.append(name, value);
  } else if (word === "-H") {
    const [name, value] = words.shift().split(/:\s*/, 2);
    headers[name] = value;
  } else if (word.startsWith("-")) throw new Error(`unknown option ${word}`);
  else url = atTest(word.replace(/^(http:\/\/)?localhost:3000/, SERVICE)).replace(/^(?!https?:)/, "http://");
}
const response = await fetch(url, { method: method ?? (body === undefined ? "GET" : "POST"), headers, body });
const answer = Buffer.from(await response.arrayBuffer());
appendFileSync(join(RUN, "statuses"), `${response.status} ${url}\n`);
writeFileSync(join(RUN, "answer"), answer);
if (file) writeFileSync(file, answer);
else process.stdout.write(answer);
