import { floodOfJob, subjectName } from './throttle-subjects';

const key = { kind: 'key' as const, id: 'k1', name: 'Nightly import' };
const names = (tags: unknown, createdBy: Parameters<typeof floodOfJob>[1] = null): string[] =>
  floodOfJob({ queueName: 'mail', tags }, createdBy).subjects.map((subject) => subjectName(subject, 'mail'));

it('offers the queue, the key that created the job, and its tags with their values', () => {
  expect(names({ customer: 'acme', order: 4711, big: 9007199254740993n, vip: true }, key)).toEqual([
    'the queue mail',
    'Nightly import',
    'the tag customer=acme',
    'the tag order=4711',
    'the tag big=9007199254740993',
    'the tag vip=true',
  ]);
  expect(names(['urgent', 1])).toEqual(['the queue mail', 'the tag urgent']);
  expect(names('urgent')).toEqual(['the queue mail', 'the tag urgent']);
});

it('offers the name alone of values whose text may differ in the database', () => {
  expect(names({ share: 0.5, list: [1], nothing: null })).toEqual([
    'the queue mail',
    'the tag share',
    'the tag list',
    'the tag nothing',
  ]);
});

it('offers no person, session and schedule, which have no key', () => {
  expect(names(null, { ...key, kind: 'schedule' })).toEqual(['the queue mail']);
  expect(names(null, { ...key, id: null })).toEqual(['the queue mail']);
  expect(names(null, { ...key, name: null })).toEqual(['the queue mail', 'the key k1']);
});
