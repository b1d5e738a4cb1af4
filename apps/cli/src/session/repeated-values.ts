import type { Command, Option } from 'commander';
import { pairs } from '../commands/options.js';
import { UsageError } from '../errors.js';

/**
 * Lets commands refuse an option that is given twice. Of two values only the last would count: `--queue a --queue b` would purge b alone.
 * Options of the program may be repeated, as aliases of a shell do.
 */
export function refuseRepeated({ commands }: Pick<Command, 'commands'>): void {
  for (const command of commands) {
    for (const option of command.options.filter(takesOneValue)) refuseSecond(command, option);
    refuseRepeated(command);
  }
}

function refuseSecond(command: Command, option: Option): void {
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    if (isGiven) throw new UsageError(`${option.long} is given twice, and takes one value`);
    isGiven = true;
  });
}

const takesOneValue = ({ required, optional, variadic, parseArg }: Option): boolean =>
  (required || optional) && !variadic && (parseArg as unknown) !== pairs;
