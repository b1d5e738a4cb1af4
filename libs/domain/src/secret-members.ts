/** Secret settings of queues and jobs: stored and never returned. Values of headers may be secrets too. */
export const secretQueueSettings = ['callback_secret', 'callback_headers'] as const;

/** Secret settings of organizations; only an administrator's key for all queues may read them. */
export const secretOrganizationSettings = [
  'webhook_token',
  'github_webhook_secret',
  'stripe_webhook_secret',
  'standard_webhook_secret',
] as const;

/** Parts of the names of secret members. Callers choose names too: in settings, tags and metadata. */
const parts = [
  'secret',
  'token',
  'passw(or)?d',
  'passphrase',
  'passcode',
  'credential',
  'authori[sz]ation',
  'cookie',
  'header',
  'signature',
  'connection_?string',
  '(api|access|admin|encryption|hmac|master|private|shared|signing|ssh|webhook)[_.-]?key',
];

/** Short words, which longer words such as `author` contain. */
const words = ['o?auth', 'bearer', 'dsn', 'jwt', 'otp', 'pass', 'pin', 'pwd', 'sig'];

/**
 * Names of members whose whole value is secret, whatever its type. Responses, the audit log and log lines follow it. Without regard to
 * case; JavaScript and PostgreSQL must read it alike, because `without_secrets_v1` repeats it.
 */
export const secretNamePattern = `${parts.join('|')}|(^|[^a-z])(${words.join('|')})([^a-z]|$)`;

const secretName = new RegExp(secretNamePattern, 'i');

export const isSecretName = (name: string): boolean => secretName.test(name);
