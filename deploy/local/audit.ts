/** A vulnerability that nobody has to mend yet. */
export interface AuditException {
  /** Id of the advisory, `GHSA-…`. */
  advisory: string;
  package: string;
  /** Why it does not matter here, or what it waits for. */
  reason: string;
  /** Last day on which the exception holds, as YYYY-MM-DD. */
  until: string;
}

interface Advisory {
  url: string;
  title: string;
  severity: string;
}

/** The report of `npm audit --json`. */
export interface AuditReport {
  vulnerabilities?: Record<string, { via: (string | Advisory)[] }>;
  /** npm's message when the registry did not answer, or has no advisories, as mirrors. */
  message?: string;
  error?: unknown;
}

const longestDays = 90;

/** Why there is no report; undefined when there is one. */
export const notAudited = ({ vulnerabilities, message }: AuditReport): string | undefined =>
  vulnerabilities ? undefined : (message ?? 'npm audit wrote no report');

/**
 * What somebody must do: mend a vulnerability of the packages that are deployed, or renew or remove an exception.
 * @param today as YYYY-MM-DD
 */
export function auditProblems(report: AuditReport, exceptions: readonly AuditException[], today: string): string[] {
  const found = advisoriesOf(report);
  const open = found.filter(
    ({ id, name }) =>
      !exceptions.some(
        ({ advisory, package: excepted, until }) => advisory === id && excepted === name && until >= today,
      ),
  );
  return [
    ...open.map(({ id, name, severity, title }) => `${name}: ${id} (${severity}): ${title}`),
    ...exceptions.flatMap((exception) => exceptionProblems(exception, found, today)),
  ];
}

function advisoriesOf({ vulnerabilities = {} }: AuditReport) {
  return Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
    // A text names another vulnerable package, which has an entry of its own.
    via.flatMap((cause) =>
      typeof cause === 'string' ? [] : [{ name, ...cause, id: cause.url.slice(cause.url.lastIndexOf('/') + 1) }],
    ),
  );
}

function exceptionProblems(
  { advisory, package: name, reason, until }: AuditException,
  found: { id: string; name: string }[],
  today: string,
): string[] {
  const which = `the exception ${advisory} for ${name}`;
  if (reason.trim() === '') return [`${which} has no reason`];
  if (until < today) return [`${which} ended on ${until}`];
  const days = (Date.parse(until) - Date.parse(today)) / 86_400_000;
  if (days > longestDays) return [`${which} holds longer than ${longestDays} days`];
  return found.some((entry) => entry.id === advisory && entry.name === name) ? [] : [`${which} is not needed any more`];
}
