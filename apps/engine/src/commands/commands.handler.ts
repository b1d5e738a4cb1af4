import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { type Command, commandKinds, type Outcome } from '@spooled/contracts';
import { GroupCommit } from '@spooled/queue';

/** Submits every command to the group commit and replies after its transaction has committed. */
@Controller()
export class CommandsHandler {
  constructor(private readonly commit: GroupCommit) {}

  @MessagePattern(commandKinds)
  run(@Payload() command: Command): Promise<Outcome> {
    return this.commit.submit(command);
  }
}
