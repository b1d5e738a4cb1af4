import { emptyActForm, readActForm } from './act-options';

const read = (act: Parameters<typeof readActForm>[0], form: object, queue?: string) =>
  readActForm(act, { ...emptyActForm, ...form }, queue);

it('of acts without options is complete', () => {
  expect(read('cancel', { patch: 'not JSON', priority: 'x' })).toMatchObject({ options: {}, problem: null });
});

it.each(['', '1.5', '101', '-101', 'ten'])('refuses the priority %j', (priority) => {
  expect(read('priority', { priority })).toEqual({ options: null, problem: expect.stringContaining('-100 to 100') });
  expect(read('priority', { priority: '-100' }).options).toMatchObject({ priority: -100 });
});

it('moves jobs to a queue with a name, and not to the queue that they are in', () => {
  expect(read('move', { toQueue: ' ' })).toEqual({ options: null, problem: null });
  expect(read('move', { toQueue: 'mail' }, 'mail').problem).toBe('must be another queue');
  expect(read('move', { toQueue: ' slow ' }, 'mail').options).toMatchObject({ toQueue: 'slow' });
});

it('takes a patch that is an object with members, and keeps large integers', () => {
  expect(read('patch', { patch: '' })).toEqual({ options: null, problem: null });
  expect(read('patch', { patch: '{}' })).toEqual({ options: null, problem: null });
  expect(read('patch', { patch: '[1]' }).problem).toContain('is an object');
  expect(read('patch', { patch: '{"a":' }).problem).toContain('not JSON');
  expect(read('patch', { patch: '{"id":9007199254740993}' }).options?.payloadPatch).toEqual({ id: 9007199254740993n });
});
