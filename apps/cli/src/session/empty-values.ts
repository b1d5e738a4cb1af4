import type { Command } from 'commander';
import { UsageError } from '../errors.js';

/**
 * An empty value is a variable of a script that is not set: `--queue "$QUEUE"` would be no filter, `--host ""` every address.
 * @throws UsageError that names the option or the argument
 */
export function requireNoneEmpty(command: Command): void {
  // Words that are completed may be empty.
  if (command.name() === 'complete-words') return;
  for (let each: Command | null = command; each; each = each.parent) {
    for (const option of each.options) {
      const source = each.getOptionValueSource(option.attributeName());
      if (source === 'cli' && isEmpty(each.getOptionValue(option.attributeName())))
        throw new UsageError(`${option.long ?? option.short} is empty: give it a value or leave it out`);
    }
  }
  command.registeredArguments.forEach((argument, i) => {
    if (isEmpty(command.processedArgs[i])) throw new UsageError(`<${argument.name()}> is empty: give it a value`);
  });
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isEmpty) : typeof value === 'string' && value.trim() === '';
