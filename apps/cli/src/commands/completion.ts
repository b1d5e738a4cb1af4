import { type Argument, type Command, Option } from 'commander';
import type { Add, Cli } from '../session/cli.js';

/** What a shell runs to ask for the words that may follow. */
const asking = 'complete-words';

const scripts = {
  bash: `_spooled() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(spooled ${asking} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _spooled spooled`,
  zsh: `#compdef spooled
_spooled() {
  local -a found
  found=("\${(@f)$(spooled ${asking} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _spooled spooled`,
  fish: `complete -c spooled -f -a '(spooled ${asking} -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};
type Shell = keyof typeof scripts;

/** `spooled completion`: words that may follow, for bash, zsh and fish. */
export function addCompletion(program: Command, add: Add): void {
  add(
    program,
    'completion',
    'print the completion for a shell: source <(spooled completion bash)',
    ({ out }: Cli, shell: Shell) => out.line(scripts[shell]),
  ).addArgument(program.createArgument('<shell>').choices(Object.keys(scripts)));
  const complete = async ({ out }: Cli, words: string[]) => {
    for (const word of wordsAfter(program, words)) await out.line(word);
  };
  add(program, `${asking} [words...]`, '', complete, { hidden: true });
}

/** The words that may stand in the place of the last one: commands, options, or the choices of an option or an argument. */
export function wordsAfter(program: Command, words: string[]): string[] {
  const before = words.slice(0, -1);
  const start = words.at(-1) ?? '';
  let command = program;
  const given: string[] = [];
  for (const word of before) {
    const next = command.commands.find((each) => each.name() === word);
    if (next) command = next;
    else given.push(word);
  }
  return candidates(command, given, start).filter((word) => word.startsWith(start));
}

function candidates(command: Command, given: string[], start: string): string[] {
  const options = optionsOf(command);
  const last = given.at(-1);
  const asked = last && options.find(({ short, long }) => short === last || long === last);
  if (asked && (asked.required || asked.optional)) return asked.argChoices ?? [];
  if (start.startsWith('-')) return options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long]));
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  return names.length > 0 ? names : command.registeredArguments.flatMap((each: Argument) => each.argChoices ?? []);
}

function optionsOf(command: Command): Option[] {
  const all = [command, ...ancestors(command)].flatMap(({ options }) => [...options]);
  return [...all, new Option('-h, --help')];
}

const ancestors = ({ parent }: Command): Command[] => (parent ? [parent, ...ancestors(parent)] : []);
