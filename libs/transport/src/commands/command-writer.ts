import type { Command } from '@spooled/contracts';
import { MicroBatcher } from '@spooled/domain';
import { keys } from '../connection/keys.js';
import type { RedisShard } from '../connection/redis-shards.js';
import { sendNow } from '../connection/send-now.js';
import { commandField, joinCommands } from './wire.js';

/** Commands per entry. An entry stays pending until its last command has a response. */
const maxCommands = 64;
/** UTF-16 units per entry of several commands, to bound the size of a read. */
const maxLength = 64 * 1024;

interface Encoded {
  id: string;
  text: string;
}

/** Writes the commands of one event-loop turn into as few stream entries as possible: one XADD, one delivery, one XACK. */
export class CommandWriter {
  private readonly batcher = new MicroBatcher<Command>((commands) => this.writeAll(commands));

  /** `onFailed` is called for each command that could not be written. */
  constructor(
    private readonly shard: RedisShard,
    private readonly replyChannel: string,
    private readonly onFailed: (commandId: string, cause: unknown) => void,
  ) {}

  add(command: Command): void {
    this.batcher.add(command);
  }

  private writeAll(commands: Command[]): void {
    const pending = commands.map((command): Encoded => ({ id: command.id, text: JSON.stringify(command) }));
    let from = 0;
    while (from < pending.length) {
      const to = endOfEntry(pending, from);
      const entry = pending.slice(from, to);
      // Sending 5 MB takes as long as encoding them, so it has a separate turn of the event loop.
      if (entry[0]!.text.length > maxLength) setImmediate(() => void this.write(entry));
      else void this.write(entry);
      from = to;
    }
  }

  /** Never rejects. */
  private async write(commands: Encoded[]): Promise<void> {
    const texts = commands.map(({ text }) => text);
    const message = joinCommands(this.replyChannel, texts);
    const pipeline = this.shard.commands.pipeline();
    pipeline.xadd(keys.commandStream(this.shard.name), '*', commandField, message);
    try {
      await sendNow(pipeline);
    } catch (cause) {
      for (const { id } of commands) this.onFailed(id, cause);
    }
  }
}

function endOfEntry(pending: Encoded[], from: number): number {
  let to = from + 1;
  let length = pending[from]!.text.length;
  while (to < pending.length && to - from < maxCommands) {
    length += pending[to]!.text.length;
    if (length > maxLength) break;
    to++;
  }
  return to;
}
