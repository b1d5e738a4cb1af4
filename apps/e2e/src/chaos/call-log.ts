import type { Action, Call } from '@spooled/testing';
import { type Answered, type BegunCall, type EndedCall, place, type Report } from './messages.js';

/** All calls of a run, of all callers. */
export class CallLog {
  readonly calls: Call[] = [];
  readonly answers: Answered[] = [];
  private readonly open = new Map<string, BegunCall>();

  readonly report = (report: Report): void => {
    if ('begun' in report) {
      for (const call of report.begun) this.open.set(call.id, call);
      return;
    }
    this.answers.push(report.answered);
    for (const end of report.ended) this.end(end);
  };

  /** The calls of callers that were killed have no answer. */
  endOpen(): void {
    for (const id of this.open.keys()) this.end({ id, outcome: 'unknown', ended: place(), to: Date.now() });
  }

  private end({ id, outcome, answer, job, ended, to }: EndedCall): void {
    const call = this.open.get(id);
    if (!call) return;
    this.open.delete(id);
    const { tenant, began, from } = call;
    const action = { ...call.action, ...(job !== undefined && { job }) } as Action;
    this.calls.push({
      ...action,
      ...(answer !== undefined && { answer }),
      outcome,
      tenant,
      began,
      ended,
      from,
      to,
    } as Call);
  }
}
