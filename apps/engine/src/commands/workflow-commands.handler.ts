import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { CommandOf, Outcome } from '@spooled/contracts';
import { GroupCommit } from '@spooled/queue';

/** The commands about workflows and dependencies between jobs; see JobCommandsHandler. */
@Controller()
export class WorkflowCommandsHandler {
  constructor(private readonly commit: GroupCommit) {}

  @MessagePattern('workflow.create')
  create(@Payload() command: CommandOf<'workflow.create'>): Promise<Outcome> {
    return this.commit.submit(command);
  }

  @MessagePattern('workflow.cancel')
  cancel(@Payload() command: CommandOf<'workflow.cancel'>): Promise<Outcome> {
    return this.commit.submit(command);
  }

  @MessagePattern('workflow.retry')
  retry(@Payload() command: CommandOf<'workflow.retry'>): Promise<Outcome> {
    return this.commit.submit(command);
  }

  @MessagePattern('job.depend')
  depend(@Payload() command: CommandOf<'job.depend'>): Promise<Outcome> {
    return this.commit.submit(command);
  }
}
