import { type Role, roles } from '@spooled/domain';
import {
  integer,
  isProduction,
  secret,
  semicolonList,
  type ServerSettings,
  setting,
  SettingsError,
  type SettingsOf,
  url,
} from '@spooled/platform';
import { z } from 'zod';

/** What people with a group may do, and where. */
export interface GroupRole {
  group: string;
  organizationId: string;
  role: Role;
}

/** `worker` is for programs. */
const rolesOfPeople = roles.filter((role) => role !== 'worker');

/** The last `=` divides, because names of groups may contain it. */
const groupRole = z.string().transform((text, context): GroupRole => {
  const divider = text.lastIndexOf('=');
  const group = text.slice(0, divider).trim();
  const [organizationId = '', role = ''] = text.slice(divider + 1).split(':');
  const isValid = divider > 0 && group !== '' && z.uuid().safeParse(organizationId).success;
  if (isValid && (rolesOfPeople as string[]).includes(role)) return { group, organizationId, role: role as Role };
  const message = `each must be <group>=<organization id>:<role>, with the role ${rolesOfPeople.join(', ')}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** How people sign in to the console. All but the last four are required together. */
export const openIdSettings = {
  OIDC_ISSUER: setting(
    url(/^https?$/).optional(),
    'Issuer of the OpenID Connect provider at which people sign in to the console; its metadata is read from `/.well-known/openid-configuration` below it. Unset: they sign in with keys only.',
  ),
  OIDC_CLIENT_ID: setting(z.string().min(1).optional(), 'Id of the console at the provider.'),
  OIDC_CLIENT_SECRET: setting(secret().optional(), 'Secret of the console at the provider.'),
  OIDC_REDIRECT_URL: setting(
    url(/^https?$/).optional(),
    'Where the provider sends browsers back to: the public address of this deployment with the path `/console/login`. The provider must allow it.',
  ),
  OIDC_GROUPS: setting(
    semicolonList(groupRole).default([]),
    `Who may sign in: \`<group>=<organization id>:<role>\`, separated by semicolons. Roles: ${rolesOfPeople.join(', ')}. Of several organizations of a person the first one counts, of several roles there the highest.`,
  ),
  OIDC_GROUPS_CLAIM: setting(
    z.string().min(1).default('groups'),
    'Claim with the groups of a person, in the ID token or else the UserInfo response: a text or a list of texts.',
  ),
  OIDC_SCOPES: setting(
    z
      .string()
      .regex(/(^| )openid( |$)/, 'must contain openid')
      .default('openid profile email'),
    'Scopes that are asked for, separated by blanks; some providers need one for groups.',
  ),
  OIDC_NAME: setting(z.string().min(1).max(60).default('single sign-on'), 'Name of the provider on the sign-in page.'),
  OIDC_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 30 }).default(5),
    'Longest wait in seconds for each response of the provider; afterwards sign-ins get 503.',
  ),
};

type Settings = SettingsOf<typeof openIdSettings> & Pick<ServerSettings, 'SPOOLED_ENV'>;

export interface OpenIdOptions {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  redirectUrl: URL;
  groups: readonly GroupRole[];
  groupsClaim: string;
  scopes: string;
  name: string;
  timeoutSeconds: number;
}

/**
 * The provider of the settings; null without one.
 * @throws SettingsError for some of its settings without the others, and in production for plain HTTP
 */
export function openIdOptions(settings: Settings): OpenIdOptions | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URL, OIDC_GROUPS: groups } = settings;
  const required = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URL };
  const missing = Object.entries({ ...required, OIDC_GROUPS: groups[0] }).filter(([, value]) => value === undefined);
  if (missing.length === 5) return null;
  if (missing.length > 0) {
    throw new SettingsError(missing.map(([name]) => ({ name, reason: 'is required with the other settings OIDC_*' })));
  }
  const [issuer, redirectUrl] = [new URL(OIDC_ISSUER!), new URL(OIDC_REDIRECT_URL!)];
  if (isProduction(settings)) requireHttps({ OIDC_ISSUER: issuer, OIDC_REDIRECT_URL: redirectUrl });
  if (redirectUrl.pathname !== '/console/login' || redirectUrl.search + redirectUrl.hash !== '') {
    throw new SettingsError([{ name: 'OIDC_REDIRECT_URL', reason: 'must end with the path /console/login' }]);
  }
  return {
    issuer,
    redirectUrl,
    groups,
    clientId: OIDC_CLIENT_ID!,
    clientSecret: OIDC_CLIENT_SECRET!,
    groupsClaim: settings.OIDC_GROUPS_CLAIM,
    scopes: settings.OIDC_SCOPES,
    name: settings.OIDC_NAME,
    timeoutSeconds: settings.OIDC_TIMEOUT_SECS,
  };
}

function requireHttps(urls: Record<string, URL>): void {
  const plain = Object.entries(urls).filter(([, { protocol }]) => protocol !== 'https:');
  if (plain.length === 0) return;
  throw new SettingsError(plain.map(([name]) => ({ name, reason: 'must begin with https:// in production' })));
}
