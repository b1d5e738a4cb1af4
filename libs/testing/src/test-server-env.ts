/** Environment variables by which the global setup passes the server's URL to the test workers. */
export const serverUrlName = 'SPOOLED_TEST_DATABASE_URL';
export const templateName = 'SPOOLED_TEST_TEMPLATE';
/** Where the process that runs Jest answers for the shared stacks. */
export const sharedStacksName = 'SPOOLED_TEST_STACKS';

/** All test databases share the server's roles, so the passwords are constant. */
export const rolePasswords = { owner: 'owner', app: 'app', system: 'system' } as const;
export const ownerRole = 'spooled_owner';

const roleNames = { owner: ownerRole, app: 'spooled_app', system: 'spooled_system' } as const;

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export function roleUrl(url: string, role: keyof typeof roleNames): string {
  const changed = new URL(url);
  changed.username = roleNames[role];
  changed.password = rolePasswords[role];
  return changed.href;
}
