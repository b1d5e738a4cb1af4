/** What is wrong with a server or its address, and what an operator does about it. */
export interface StoreProblem {
  finding: string;
  remedy: string;
}

export const problemSentence = ({ finding, remedy }: StoreProblem): string => `${finding}: ${remedy}.`;

/** A start that cannot succeed before somebody changes something. The message is one sentence with the remedy. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(problem: StoreProblem, cause?: unknown) {
    super(problemSentence(problem), cause === undefined ? undefined : { cause });
  }
}

/** The setting that holds an address, and the address. Problems name its host and user, never its password. */
export interface NamedUrl {
  setting: string;
  url: string;
}

/** The form that addresses of PostgreSQL have. */
export const postgresProtocol = /^postgres(ql)?$/;

/** Why the text is not an address of a PostgreSQL server; null when it is one. */
export function postgresUrlProblem({ setting, url }: NamedUrl): StoreProblem | null {
  const parsed = URL.parse(url);
  if (parsed && postgresProtocol.test(parsed.protocol.slice(0, -1))) return null;
  // Written with a password, logs would redact it.
  return {
    finding: `${setting} is not the URL of a PostgreSQL server`,
    remedy: 'write postgres://user@host:5432/database, and the password behind the user',
  };
}

const noAnswer: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no answer in time',
};

/** The code of a system error; of the first address where a name has several. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: { code?: unknown }[] };
  return String(code ?? errors?.[0]?.code ?? '');
}

/** Why nothing answered, in words; undefined when something did. */
export function whyNoAnswer(error: unknown): string | undefined {
  if (/timeout|timed out/i.test((error as Error).message)) return noAnswer.ETIMEDOUT;
  return noAnswer[codeOf(error)];
}

/** Whether the name of the host has no address. */
export const isUnknownHost = (error: unknown): boolean => ['ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error));

/** The oldest major version of PostgreSQL that is supported, and that a spec runs on. */
export const oldestPostgres = 16;

/** Why PostgreSQL cannot be used, from the error of a connection or of its first statements. */
export function postgresProblem(error: unknown, at: NamedUrl): StoreProblem {
  const problem = postgresUrlProblem(at);
  if (problem) return problem;
  const url = new URL(at.url);
  const { message } = error as Error;
  const explain = serverRefusals[codeOf(error)];
  return explain?.({ ...partsOf(url), setting: at.setting, message }) ?? unreachable(error as Error, at.setting, url);
}

interface Refusal {
  setting: string;
  host: string;
  user: string;
  database: string;
  message: string;
}

const partsOf = (url: URL) => {
  const user = decodeURIComponent(url.username);
  return { host: url.host, user, database: decodeURIComponent(url.pathname.slice(1)) || user };
};

const loginRefused = ({ host, user, message, setting }: Refusal): StoreProblem => ({
  finding: `PostgreSQL at ${host} refuses the login of role "${user}" (${message})`,
  remedy: `correct ${setting}, or allow the login in pg_hba.conf`,
});

/** Of a login that would have to switch to the role of the services, which PgBouncer does not pass on. */
const noSwitch = /unsupported startup parameter/i;

/** Whether PgBouncer refuses the login, as opposed to being without a server. */
export const isPoolerRefusal = (message: string): boolean =>
  /authentication failed|no such (?:database|user)/i.test(message) || noSwitch.test(message);

function poolerProblem(refusal: Refusal): StoreProblem {
  const { host, user, setting, message } = refusal;
  if (noSwitch.test(message))
    return {
      finding: `The role "${user}" of ${setting} cannot become that of the services through PgBouncer at ${host} (${message})`,
      remedy: 'log in as the role itself, such as spooled_app, or connect to PostgreSQL without a pooler',
    };
  if (isPoolerRefusal(message)) return loginRefused(refusal);
  return {
    finding: `PgBouncer at ${host} reaches no PostgreSQL server (${message})`,
    remedy: 'start the server behind it, or read its log',
  };
}

/** By SQLSTATE. */
const serverRefusals: Record<string, (refusal: Refusal) => StoreProblem> = {
  '28P01': ({ host, user, setting }) => ({
    finding: `PostgreSQL at ${host} refuses the password of role "${user}"`,
    remedy: `correct the user or the password in ${setting}`,
  }),
  '28000': loginRefused,
  // PgBouncer reports everything as a violation of the protocol.
  '08P01': poolerProblem,
  '3D000': ({ database, host, setting }) => ({
    finding: `There is no database "${database}" at ${host}`,
    remedy: `create it and migrate it, or correct the name in ${setting}`,
  }),
  '53300': ({ host }) => ({
    finding: `PostgreSQL at ${host} has no free connection`,
    remedy: 'raise max_connections, or put PgBouncer before it',
  }),
  '53100': ({ host, message }) => ({
    finding: `The disk of PostgreSQL at ${host} is full (${message})`,
    remedy: 'free space on it or enlarge it',
  }),
  '57P03': ({ host }) => ({
    finding: `PostgreSQL at ${host} is starting or stopping`,
    remedy: 'wait for it, or read its log',
  }),
  // A startup option names the role that statements run as.
  '22023': ({ host, message }) => ({
    finding: `A role of the services is missing at ${host} (${message})`,
    remedy: 'run the migration as the owner of the database',
  }),
  '42501': ({ user, setting, message }) => ({
    finding: `The role "${user}" of ${setting} lacks a right (${message})`,
    remedy: 'run the migration, and log in as a role that it creates, or may switch to one',
  }),
};

function unreachable(error: Error, setting: string, { host, hostname }: URL): StoreProblem {
  if (isUnknownHost(error)) return unknownHost(hostname, setting);
  const why = whyNoAnswer(error);
  if (why)
    return {
      finding: `PostgreSQL does not answer at ${host} (${why})`,
      remedy: `start it, or correct host and port of ${setting}`,
    };
  if (/SSL|certificate/i.test(error.message))
    return {
      finding: `There is no encrypted connection to ${host} (${error.message})`,
      remedy: `correct sslmode in ${setting}, or name the authority in NODE_EXTRA_CA_CERTS`,
    };
  return {
    finding: `What answers at ${host} is not a PostgreSQL server (${error.message})`,
    remedy: `correct host and port of ${setting}`,
  };
}

const unknownHost = (hostname: string, setting: string): StoreProblem => ({
  finding: `The host "${hostname}" of ${setting} is unknown`,
  remedy: 'correct its name, or the DNS of this machine',
});

/** Why Redis cannot be used, from the error of a connection or of its first command. @param at a redis: or rediss: URL */
export function redisProblem(error: Error, { setting, url }: NamedUrl): StoreProblem {
  const { host, hostname } = new URL(url);
  const { message } = error;
  if (/WRONGPASS|NOAUTH|invalid password/.test(message))
    return {
      finding: `Redis at ${host} refuses the login`,
      remedy: `correct the user or the password in ${setting}`,
    };
  if (/NOPERM/.test(message))
    return { finding: `The user of ${setting} may not run INFO (${message})`, remedy: 'allow it the command info' };
  if (isUnknownHost(error)) return unknownHost(hostname, setting);
  const why = whyNoAnswer(error);
  return why
    ? {
        finding: `Redis does not answer at ${host} (${why})`,
        remedy: `start it, or correct host and port of ${setting}`,
      }
    : {
        finding: `What answers at ${host} is not a Redis server (${message})`,
        remedy: `correct host and port of ${setting}`,
      };
}
