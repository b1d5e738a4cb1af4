import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { CommandOf, Outcome } from '@spooled/contracts';
import { GroupCommit } from '@spooled/queue';

/** The commands about schedules; see JobCommandsHandler. */
@Controller()
export class ScheduleCommandsHandler {
  constructor(private readonly commit: GroupCommit) {}

  @MessagePattern('schedule.trigger')
  trigger(@Payload() command: CommandOf<'schedule.trigger'>): Promise<Outcome> {
    return this.commit.submit(command);
  }
}
