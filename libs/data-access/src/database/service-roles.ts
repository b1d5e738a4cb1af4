/** The roles under row-level security as which statements run. */
export type ServiceRole = 'spooled_app' | 'spooled_system';

/** The login that may be in use while the password of the role's own login changes. PostgreSQL switches it to the role. */
export const secondLoginOf = (role: ServiceRole): string => `${role}_next`;
