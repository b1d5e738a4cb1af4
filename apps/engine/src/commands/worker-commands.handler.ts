import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { CommandOf, Outcome } from '@spooled/contracts';
import { GroupCommit } from '@spooled/queue';

/** The commands about workers; see JobCommandsHandler. */
@Controller()
export class WorkerCommandsHandler {
  constructor(private readonly commit: GroupCommit) {}

  @MessagePattern('worker.register')
  register(@Payload() command: CommandOf<'worker.register'>): Promise<Outcome> {
    return this.commit.submit(command);
  }

  @MessagePattern('worker.heartbeat')
  heartbeat(@Payload() command: CommandOf<'worker.heartbeat'>): Promise<Outcome> {
    return this.commit.submit(command);
  }

  @MessagePattern('worker.deregister')
  deregister(@Payload() command: CommandOf<'worker.deregister'>): Promise<Outcome> {
    return this.commit.submit(command);
  }
}
