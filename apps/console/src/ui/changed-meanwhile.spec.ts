import { ChangedMeanwhile, replacedBy } from './changed-meanwhile';

const seen = { events: ['a'], url: 'https://a.test' };

it('finds what edits would replace although the user has not seen it', () => {
  const edited = { events: ['a', 'b'] };
  expect(replacedBy(edited, seen, { ...seen, events: ['c'] })).toEqual({ events: ['c'] });
});

it.each([
  ['is as the user has seen it', seen],
  ['is another member than the edited one', { ...seen, url: 'https://b.test' }],
  ['is what the user wants too', { ...seen, events: ['b'] }],
])('finds nothing where the change %s', (_, stored) => {
  expect(replacedBy({ events: ['b'] }, seen, stored)).toEqual({});
});

it('says in words what is stored now', () => {
  const { message } = new ChangedMeanwhile({ queues: ['emails', 'reports'], rateLimit: '', rule: { when: 'never' } });
  expect(message).toBe(
    'Somebody else has changed this meanwhile: queues (now emails, reports); rate limit (now empty); rule. Save again to replace it.',
  );
});
