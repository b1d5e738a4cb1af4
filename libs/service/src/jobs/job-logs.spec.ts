import { JsonDocument } from '@spooled/contracts';
import type { JobLogRow } from '@spooled/data-access';
import { reportedLines, toLogsResponse } from './job-logs.js';

const line = (number: number) =>
  ({ run: 1, number, message: `line ${number}`, fields: '{"a":1.0}' }) as unknown as JobLogRow;

describe('a page of the log of a job', () => {
  const attempts = [{ attempt: 1 }] as never;
  /** The page of a log with these lines, and what was read for it. */
  async function pageOf(lines: JobLogRow[], query: { cursor?: string; attempt?: number; lease_id?: string } = {}) {
    let read: object | undefined;
    const text = await toLogsResponse({ limit: 2, ...query } as never, (page) => {
      read = page;
      return Promise.resolve({ lines, attempts });
    });
    return { read, text, page: JSON.parse(text) as { next_cursor: string | null; has_more: boolean; lines: object[] } };
  }

  it('has another one after it if there is one line more', async () => {
    const { page, read } = await pageOf([line(1), line(2), line(3)]);
    expect(page).toMatchObject({ next_cursor: '1-2', has_more: true, attempts: [{ attempt: 1 }] });
    expect(page.lines).toEqual([1, 2].map((number) => ({ number, message: `line ${number}`, fields: { a: 1 } })));
    expect(read).toEqual({ after: null, attempt: null, leaseId: null, limit: 3 });
    expect((await pageOf([line(1), line(2)])).page).toMatchObject({ next_cursor: '1-2', has_more: false });
  });

  it('continues at its cursor, also when there is nothing yet', async () => {
    const { page, read } = await pageOf([], { cursor: '2-9999999999', attempt: 3, lease_id: 'l' });
    expect(read).toMatchObject({ after: { run: 2, number: 2 ** 31 - 1 }, attempt: 3, leaseId: 'l' });
    expect(page).toMatchObject({ next_cursor: '2-9999999999', has_more: false, lines: [] });
    expect((await pageOf([])).page.next_cursor).toBeNull();
  });

  it('has fields as they were written', async () => {
    expect((await pageOf([line(1)])).text).toContain('"fields":{"a":1.0}');
  });
});

it('lines of a report are stored as PostgreSQL can hold them', () => {
  const lines = [
    { age_ms: 5, message: 'a\0b', fields: new JsonDocument({ a: 1 }), level: 'info' },
    { age_ms: 0, message: 'c', level: 'warn' },
  ];
  expect(reportedLines(lines as never)).toEqual([
    { ageMs: 5, message: expect.stringMatching(/^a[^\0]*b$/), fields: '{"a":1}', level: 'info' },
    { ageMs: 0, message: 'c', fields: null, level: 'warn' },
  ]);
});
