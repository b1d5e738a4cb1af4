import { noPepper } from '@spooled/data-access';
import { commaList, secret, setting } from '@spooled/platform';
import { z } from 'zod';

const shortestPepper = 16;
export const shortestTokenSecret = 32;

/** How API keys are verified; the same for every process that makes or checks them. */
export const apiKeySettings = {
  API_KEY_PEPPER: setting(
    commaList(
      z.string().refine((pepper) => pepper === noPepper || pepper.length >= shortestPepper, {
        message: `each must have at least ${shortestPepper} characters, or be "${noPepper}"`,
      }),
    ).default([]),
    `Secrets in the hashes of API keys, of at least ${shortestPepper} characters: the first for new keys, the others are still accepted. "${noPepper}" or unset = without.`,
  ),
};

/** How access tokens are signed; the same for every process that issues or verifies them. */
export const tokenSettings = {
  JWT_SECRET: setting(
    secret().optional(),
    `Signs access tokens; at least ${shortestTokenSecret} characters and required in production. Elsewhere unset = a random secret of this process, until restart.`,
  ),
  JWT_SECRET_PREVIOUS: setting(
    secret().optional(),
    'The secret before a rotation: tokens that it signed are still accepted, and none is signed with it.',
  ),
  JWT_ISSUER: setting(
    z.string().min(1).default('spooled'),
    'Issuer of access tokens (`iss`); tokens of other issuers are refused.',
  ),
  JWT_AUDIENCE: setting(
    z.string().min(1).default('spooled-api'),
    'Audience of access tokens (`aud`); others are refused. Distinguishes deployments that share a JWT_SECRET.',
  ),
};
