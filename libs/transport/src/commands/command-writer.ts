import type { Command } from '@spooled/contracts';
import { keys } from '../connection/keys.js';
import type { RedisShard } from '../connection/redis-shards.js';
import { sendNow } from '../connection/send-now.js';
import { commandField, joinCommands } from './wire.js';

/** Commands in one entry. An engine keeps an entry until the last of them has its answer. */
const maxTogether = 64;
/** UTF-16 units in one entry of several commands, so that engines never read much more than they asked for. */
const maxLength = 64 * 1024;

interface Encoded {
  id: string;
  text: string;
}

/** Puts the commands of one turn of the event loop into as few stream entries as fit: one XADD, one delivery, one XACK. */
export class CommandWriter {
  private waiting: Command[] = [];

  /** `onFailed` is told of each command that Redis did not take. */
  constructor(
    private readonly shard: RedisShard,
    private readonly replyChannel: string,
    private readonly onFailed: (commandId: string, cause: unknown) => void,
  ) {}

  add(command: Command): void {
    if (this.waiting.length === 0) setImmediate(() => this.flush());
    this.waiting.push(command);
  }

  private flush(): void {
    const waiting = this.waiting.map((command): Encoded => ({ id: command.id, text: JSON.stringify(command) }));
    this.waiting = [];
    let from = 0;
    while (from < waiting.length) {
      const to = endOfEntry(waiting, from);
      const entry = waiting.slice(from, to);
      // Sending 5 MB takes as long as encoding them, so it has a turn of the event loop of its own.
      if (entry[0]!.text.length > maxLength) setImmediate(() => void this.write(entry));
      else void this.write(entry);
      from = to;
    }
  }

  /** Never rejects. */
  private async write(commands: Encoded[]): Promise<void> {
    const message = joinCommands(
      this.replyChannel,
      commands.map(({ text }) => text),
    );
    const pipeline = this.shard.commands.pipeline();
    pipeline.xadd(keys.commandStream(this.shard.name), '*', commandField, message);
    try {
      await sendNow(pipeline);
    } catch (cause) {
      for (const { id } of commands) this.onFailed(id, cause);
    }
  }
}

function endOfEntry(waiting: Encoded[], from: number): number {
  let to = from + 1;
  let length = waiting[from]!.text.length;
  while (to < waiting.length && to - from < maxTogether) {
    length += waiting[to]!.text.length;
    if (length > maxLength) break;
    to++;
  }
  return to;
}
