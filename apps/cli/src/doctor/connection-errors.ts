/** Longest wait for a server, in milliseconds. */
export const patienceMs = 5_000;

const noAnswer: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: `nothing within ${patienceMs / 1_000} s`,
};

/** The code of a system error; of the first address where a name has several. */
export function codeOf(error: unknown): string {
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  return String(code ?? errors?.[0]?.code ?? '');
}

/** Why nothing answered, in words; undefined when something did. */
export function whyNoAnswer(error: unknown): string | undefined {
  if (/timeout|timed out/i.test((error as Error).message)) return noAnswer.ETIMEDOUT;
  return noAnswer[codeOf(error)];
}

/** Whether the name of the host has no address. */
export const isUnknownHost = (error: unknown): boolean => ['ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error));
