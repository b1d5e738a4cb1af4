import { type jobLogSchemas, type LogLine, rawJson, textOrNull } from '@spooled/contracts';
import type { JobLogAttempt, JobLogPage, JobLogPosition, JobLogRow } from '@spooled/data-access';
import { storableText } from '@spooled/domain';

/** Lines of a report, as a command has them. */
export const reportedLines = (lines: jobLogSchemas.ReportLogsBody['lines']): LogLine[] =>
  lines.map(({ age_ms: ageMs, message, fields, ...line }) => ({
    ...line,
    ageMs,
    message: storableText(message),
    fields: textOrNull(fields),
  }));

/** One page of a log as JSON text. @param read reads one line more than the page has, to know whether there are more */
export async function toLogsResponse(
  { cursor, limit, attempt, lease_id: leaseId }: jobLogSchemas.JobLogsQuery,
  read: (page: JobLogPage) => Promise<{ lines: JobLogRow[]; attempts: JobLogAttempt[] }>,
): Promise<string> {
  const after = cursor === undefined ? null : positionOf(cursor);
  const found = await read({ after, attempt: attempt ?? null, leaseId: leaseId ?? null, limit: limit + 1 });
  const lines = found.lines.slice(0, limit);
  const last = lines.at(-1);
  const next_cursor = last ? cursorOf(last) : (cursor ?? null);
  const more = { attempts: found.attempts, next_cursor, has_more: found.lines.length > limit };
  return rawJson(more, { lines: `[${lines.map(toLine).join(',')}]` });
}

const cursorOf = ({ run, number }: JobLogPosition): string => `${run}-${number}`;

function positionOf(cursor: string): JobLogPosition {
  const [run, number] = cursor.split('-').map(Number);
  return { run: run!, number: Math.min(number!, 2 ** 31 - 1) };
}

const toLine = ({ run: _, fields, ...line }: JobLogRow): string => rawJson(line, { fields });
