import { Argument, Command, type Option } from "commander";
import { examples } from "./options.ts";
import { printText } from "./screen.ts";

/** A word that may end a command line, and what it means. */
export interface Candidate {
  word: string;
  meaning: string;
}

/**
 * Lists what may follow on a command line. `words` are those after `magpie`; the last one is being typed and may be empty.
 * The list is empty where any text may follow, such as a URL or a file.
 */
export function candidates(program: Command, words: readonly string[]): Candidate[] {
  const typed = words.at(-1) ?? "";
  const { command, places, open } = walk(program, words.slice(0, -1));
  const found = open
    ? choicesOf(open)
    : typed.startsWith("-")
      ? optionsOf(command)
      : namesOf(command, places);
  return found.filter(({ word }) => word.startsWith(typed));
}

interface Place {
  command: Command;
  /** The number of arguments that are typed already. */
  places: number;
  /** The option whose value is being typed. */
  open?: Option;
}

function walk(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, places: 0 };
  for (const word of words) {
    const { command, places, open } = place;
    const option = open
      ? undefined
      : optionsIn(command).find(({ long, short }) => word === long || word === short);
    const inner = command.commands.find(each => each.name() === word);
    if (open) place = { command, places };
    else if (option) place = { command, places, ...(option.required && { open: option }) };
    else if (inner && places === 0) place = { command: inner, places: 0 };
    else if (!word.startsWith("-")) place = { command, places: places + 1 };
  }
  return place;
}

/** Lists the options of a command and of the commands above it. */
function optionsIn(command: Command): Option[] {
  const all = [
    ...command.createHelp().visibleOptions(command),
    ...command.createHelp().visibleGlobalOptions(command),
  ];
  return all.filter(option => !option.hidden);
}

function optionsOf(command: Command): Candidate[] {
  return optionsIn(command).map(({ long, short, description }) => ({
    word: long ?? short ?? "",
    meaning: description,
  }));
}

function choicesOf({ argChoices }: { argChoices?: readonly string[] }): Candidate[] {
  return (argChoices ?? []).map(word => ({ word, meaning: "" }));
}

function namesOf(command: Command, places: number): Candidate[] {
  const inner = command.createHelp().visibleCommands(command);
  const names = inner.map(each => ({ word: each.name(), meaning: each.description() }));
  return places === 0 && names.length > 0 ? names : choicesOf(command.registeredArguments[places] ?? {});
}

/** Each script asks the program, so that a completion never differs from it, and completes files where it answers nothing. */
const scripts = {
  bash: `_magpie() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($(magpie complete-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _magpie magpie
`,
  zsh: `#compdef magpie
_magpie() {
  local -a lines
  lines=(\${(f)"$(magpie complete-words -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')"})
  if (( \${#lines} )); then _describe magpie lines; else _files; fi
}
compdef _magpie magpie
`,
  fish: `function __magpie_words
  set -l words (commandline -opc) (commandline -ct)
  magpie complete-words -- $words[2..-1] 2>/dev/null
end
complete -c magpie -a '(__magpie_words)'
`,
};

type Shell = keyof typeof scripts;

/** `magpie completion <shell>`. */
export const completion = new Command("completion")
  .description("Print what makes a shell complete this command.")
  .addArgument(new Argument("<shell>", "which one").choices(Object.keys(scripts)))
  .addHelpText(
    "after",
    examples(
      ["source <(magpie completion bash)", "in ~/.bashrc"],
      ["source <(magpie completion zsh)", "in ~/.zshrc, after compinit"],
      ["magpie completion fish | source", "in ~/.config/fish/config.fish"],
    ),
  )
  .action((shell: Shell) => printText(scripts[shell]));

/** The hidden command that those scripts run. It prints a candidate a line: the word, a tab and its meaning. */
export const completeWords = new Command("complete-words")
  .argument("[words...]")
  .action((words: string[], _: unknown, command: Command) => {
    if (!command.parent) return;
    for (const { word, meaning } of candidates(command.parent, words.length > 0 ? words : [""]))
      printText(`${word}\t${meaning}`);
  });
