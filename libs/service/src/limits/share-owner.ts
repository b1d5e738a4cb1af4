import { type ShareOwner, shareWeights } from '@spooled/domain';
import type { Principal } from '../auth/principal.js';

/** An organization, weighted by its plan. */
export const ownerOfPrincipal = ({
  organizationId,
  limits,
}: Pick<Principal, 'organizationId' | 'limits'>): ShareOwner => ({
  name: organizationId,
  weight: shareWeights[limits.tier],
});
