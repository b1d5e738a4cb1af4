/** What bounds the log lines of a job. */
export const jobLogLimits = {
  /** Of an attempt. */
  lines: 200,
  /** Of the messages and the JSON texts of the fields of an attempt, in UTF-8. */
  bytes: 64 * 1024,
  /** Characters. */
  messageLength: 1_000,
  /** Of the JSON text of a line's fields, in UTF-8. */
  fieldsBytes: 4 * 1024,
  /** The newest attempts of a job that have lines; those of older ones are deleted. */
  attempts: 20,
} as const;

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
