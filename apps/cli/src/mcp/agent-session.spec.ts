import { AgentSession, NotAllowed } from './agent-session.js';

describe('BX-39 the session of an agent', () => {
  it('spends its budget before each act, and never more than it has', () => {
    const session = new AgentSession({ changes: 3, jobs: 100 });
    session.spend(60);
    expect(() => session.spend(41)).toThrow(NotAllowed);
    expect(session.remaining).toEqual({ changes: 2, jobs: 40 });
    session.spend(40);
    session.spend(0);
    expect(() => session.spend(0)).toThrow('used up');
  });

  it('uses a dry run once, and none of another session', () => {
    const session = new AgentSession({ changes: 1, jobs: 1 });
    const id = session.keepPreview({ body: { queueName: 'q' }, count: 1 });
    expect(() => new AgentSession({ changes: 1, jobs: 1 }).takePreview(id)).toThrow(NotAllowed);
    expect(session.takePreview(id)).toEqual({ body: { queueName: 'q' }, count: 1 });
    expect(() => session.takePreview(id)).toThrow(NotAllowed);
  });

  it('undoes only what it did', () => {
    const session = new AgentSession({ changes: 1, jobs: 1 });
    session.beganOperation('mine');
    session.requireOwnOperation('mine');
    expect(() => session.requireOwnOperation('theirs')).toThrow(NotAllowed);
    const reason = session.pauseReason('q', 'slow');
    session.requireOwnPause('q', reason);
    for (const other of [null, undefined, 'slow'])
      expect(() => session.requireOwnPause('q', other)).toThrow(NotAllowed);
    expect(() => session.requireOwnPause('other', reason)).toThrow(NotAllowed);
  });
});
