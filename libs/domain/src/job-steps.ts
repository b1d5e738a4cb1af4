/** What bounds the steps of jobs. */
export const stepLimits = {
  /** Steps, waits and kept signals of a job. */
  perJob: 200,
  /** Characters. */
  nameLength: 100,
  /** Of a result or the payload of a signal: bytes of its JSON text. */
  resultBytes: 32 * 1024,
  /** A year and a day. */
  waitMs: 366 * 24 * 60 * 60 * 1000,
} as const;

export const stepKinds = ['step', 'sleep', 'signal'] as const;
export type StepKind = (typeof stepKinds)[number];
