import type { CallOptions, Spooled } from '@spooled/sdk';
import type { Command, CommandOptions } from 'commander';
import type { Io } from '../io/io.js';
import { type Format, Output } from '../io/output.js';
import { connect, findTarget, type Target, type TargetOptions } from './connect.js';

/** What a command works with. */
export interface Cli {
  io: Io;
  out: Output;
  /** The client of the target's server. @throws UsageError without a key */
  readonly client: Spooled;
  readonly target: Target;
  /** Options of each call: it ends with the command. */
  call: CallOptions;
}

interface GlobalOptions extends TargetOptions {
  output: Format;
}

/** A command's work; `args` are its arguments and, last, its options with those of the program. */
export type Work<A extends unknown[]> = (cli: Cli, ...args: A) => Promise<void>;

/** Adds a command with its work to its parent. */
export type Add = <A extends unknown[]>(
  parent: Command,
  nameAndArguments: string,
  description: string,
  work: Work<A>,
  settings?: CommandOptions,
) => Command;

export const addWith =
  (io: Io): Add =>
  (parent, nameAndArguments, description, work, settings) =>
    parent
      .command(nameAndArguments, settings)
      .description(description)
      .action(async (...args: unknown[]) => {
        // Commander passes arguments, options and command.
        const command = args.at(-1) as Command;
        const options = command.optsWithGlobals<GlobalOptions>();
        await work(openCli(io, options), ...([...args.slice(0, -2), options] as never));
      });

/** Reads profiles and makes the client when a command first needs them: some need none. */
function openCli(io: Io, options: GlobalOptions): Cli {
  let target: Target | undefined;
  let client: Spooled | undefined;
  return {
    io,
    out: new Output(io, options.output),
    call: { signal: io.signal },
    get target() {
      return (target ??= findTarget(io.env, options));
    },
    get client() {
      return (client ??= connect(this.target));
    },
  };
}
