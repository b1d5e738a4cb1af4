import { auditWords } from './audit-words';

const words = (action: string, after: unknown = null) => auditWords({ action, after });

it.each([
  ['api_key.created', 'Created an API key'],
  ['queue.updated', 'Changed the settings of a queue'],
  ['queue.deleted', 'Deleted a queue'],
  ['throttle.deleted', 'Released a throttle'],
  ['schedule.deleted', 'Deleted a schedule'],
])('says %s in words', (action, text) => {
  expect(words(action, { max_retries: 2 })).toBe(text);
});

it('names an act that is the change of one member', () => {
  expect(words('queue.updated', { enabled: false })).toBe('Paused a queue');
  expect(words('queue.updated', { enabled: true })).toBe('Resumed a queue');
  expect(words('api_key.updated', { is_active: false })).toBe('Revoked an API key');
});

it('names what an operation does', () => {
  expect(words('operation.created', { kind: 'job.move' })).toBe('Requested: Move jobs');
});

it('shows the code of what it does not know', () => {
  expect(words('queue.renamed')).toBe('queue.renamed');
  expect(words('operation.created', { kind: 'job.clone' })).toBe('Requested: job.clone');
});
