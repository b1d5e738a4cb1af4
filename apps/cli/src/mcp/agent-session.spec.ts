import { AgentSession } from './agent-session.js';
import { Allowance, NotAllowed } from './allowance.js';

const newSession = () => new AgentSession(() => new Allowance({ changes: 1, jobs: 1 }));

describe('BX-39 the session of an agent', () => {
  it('uses a dry run once, and none of another session', () => {
    const session = newSession();
    const id = session.keepPreview({ body: { queueName: 'q' }, count: 1 });
    expect(() => newSession().takePreview(id)).toThrow(NotAllowed);
    expect(session.takePreview(id)).toEqual({ body: { queueName: 'q' }, count: 1 });
    expect(() => session.takePreview(id)).toThrow(NotAllowed);
  });

  it('keeps the last hundred dry runs', () => {
    const session = newSession();
    const [first, second] = Array.from({ length: 101 }, (_, count) => session.keepPreview({ body: {}, count }));
    expect(() => session.takePreview(first!)).toThrow(NotAllowed);
    expect(session.takePreview(second!)).toEqual({ body: {}, count: 1 });
  });

  it('undoes only what it did', () => {
    const session = newSession();
    session.began('mine');
    session.requireOwn('mine', 'not mine');
    expect(() => session.requireOwn('theirs', 'not mine')).toThrow(new NotAllowed('not mine'));
    const reason = session.pauseReason('q', 'slow');
    session.requireOwnPause('q', reason);
    for (const other of [null, undefined, 'slow'])
      expect(() => session.requireOwnPause('q', other)).toThrow(NotAllowed);
    expect(() => session.requireOwnPause('other', reason)).toThrow(NotAllowed);
  });
});
