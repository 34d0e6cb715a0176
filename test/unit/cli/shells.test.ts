import { execFileSync } from "node:child_process";
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../../support/command.ts";
import { findBinary, findOnPath } from "../../support/debian-binary.ts";
import { removeFolder } from "../../support/folders.ts";
import { isLong } from "../../support/long-run.ts";
import { startEnv } from "../../support/start-args.ts";

const folder = mkdtempSync(join(tmpdir(), "magpie-shells-"));
symlinkSync(program, join(folder, "magpie"));
writeFileSync(join(folder, "urls.txt"), "");

afterAll(() => removeFolder(folder));

const quoted = (words: string[]) => words.map(word => `"${word}"`).join(" ");

/** A script that prints what the shell offers at the end of these words, one a line. */
const scripts: Record<string, (words: string[]) => string[]> = {
  bash: words => [
    "--norc",
    "-c",
    `source <(magpie completion bash)
    COMP_WORDS=(magpie ${quoted(words)}); COMP_CWORD=${words.length}
    _magpie; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // What its completion system, which needs a terminal, does with the words.
  zsh: words => [
    "-f",
    "-c",
    `_describe() { print -l -- \${(P)2%%:*}; }; _files() { print urls.txt; }; compdef() { :; }
    eval "$(magpie completion zsh)"
    words=(magpie ${quoted(words)}); CURRENT=\${#words}; _magpie`,
  ],
  fish: words => [
    "--no-config",
    "-c",
    `magpie completion fish | source; complete -C 'magpie ${words.join(" ")}' | cut -f 1`,
  ],
};

/** Those of the machine; a long run fetches the others. */
const shells = Object.keys(scripts).filter(shell => isLong || findOnPath(shell));

test("bash is among the shells", () => expect(shells).toContain("bash"));

test.each(shells)("%s completes commands, options, their values, and files", async shell => {
  const advice = `Install ${shell}.`;
  const { path, env } = await findBinary({ program: shell, packages: [shell, `${shell}-common`], advice });
  const completed = (...words: string[]) => {
    const options = {
      cwd: folder,
      encoding: "utf8",
      env: { ...startEnv, ...env, HOME: folder, PATH: `${folder}:${startEnv.PATH}` },
    } as const;
    return execFileSync(path, scripts[shell]?.(words) ?? [], options)
      .split("\n")
      .filter(Boolean);
  };
  expect(completed("scr")).toEqual(["scrape"]);
  expect(completed("keys", "re")).toEqual(["rename"]);
  expect(completed("scrape", "--format", "sum")).toEqual(["summary"]);
  expect(completed("listen", "--for")).toEqual(["--forward"]);
  expect(completed("batch", "--file", "ur")).toEqual(["urls.txt"]);
});
