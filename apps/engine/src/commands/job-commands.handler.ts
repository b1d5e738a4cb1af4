import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { CommandKind, CommandOf, Outcome } from '@spooled/contracts';
import { GroupCommit } from '@spooled/queue';

/**
 * One handler per kind of command; each puts its command into the shared transaction and answers after the commit. Boot
 * fails when a kind has no handler here, or two.
 */
@Controller()
export class JobCommandsHandler {
  constructor(private readonly commit: GroupCommit) {}

  @MessagePattern('job.enqueue')
  enqueue(@Payload() command: CommandOf<'job.enqueue'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.claim')
  claim(@Payload() command: CommandOf<'job.claim'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.complete')
  complete(@Payload() command: CommandOf<'job.complete'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.completeMany')
  completeMany(@Payload() command: CommandOf<'job.completeMany'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.fail')
  fail(@Payload() command: CommandOf<'job.fail'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.renew')
  renew(@Payload() command: CommandOf<'job.renew'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.release')
  release(@Payload() command: CommandOf<'job.release'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.cancel')
  cancel(@Payload() command: CommandOf<'job.cancel'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.retry')
  retry(@Payload() command: CommandOf<'job.retry'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('job.prioritize')
  prioritize(@Payload() command: CommandOf<'job.prioritize'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('deadletter.retry')
  retryDeadLetters(@Payload() command: CommandOf<'deadletter.retry'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('deadletter.purge')
  purgeDeadLetters(@Payload() command: CommandOf<'deadletter.purge'>): Promise<Outcome> {
    return this.run(command);
  }

  @MessagePattern('queue.delete')
  deleteQueue(@Payload() command: CommandOf<'queue.delete'>): Promise<Outcome> {
    return this.run(command);
  }

  private run<K extends CommandKind>(command: CommandOf<K>): Promise<Outcome> {
    return this.commit.submit(command) as Promise<Outcome>;
  }
}
