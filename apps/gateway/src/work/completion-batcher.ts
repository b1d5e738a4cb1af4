import { Injectable } from '@nestjs/common';
import type { Completion } from '@spooled/contracts';
import { Commands, CompletionBatches, type Principal } from '@spooled/service';

/** Sends the completions of one key that arrive in the same turn of the event loop as one command (BX-10). */
@Injectable()
export class CompletionBatcher {
  private readonly batches = new WeakMap<Principal, CompletionBatches>();

  constructor(private readonly commands: Commands) {}

  /** @throws SpooledError 404, 409 without a valid lease or when the job has ended, 503 */
  complete(principal: Principal, completion: Completion): Promise<void> {
    return this.batchesOf(principal).complete(completion);
  }

  private batchesOf(principal: Principal): CompletionBatches {
    const known = this.batches.get(principal);
    if (known) return known;
    const batches = new CompletionBatches((kind, body) => this.commands.run(kind, principal, body), principal.queues);
    this.batches.set(principal, batches);
    return batches;
  }
}
