import { notFound } from '@spooled/domain';
import type { AddressLimits } from '@spooled/service';
import type { FastifyInstance } from 'fastify';
import type { AdmittedCall } from '../ingest/ingestion-admission.js';
import type { IngestionService, Source } from '../ingest/ingestion.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** On routes that ingest webhooks: what is known of the call from before its body. */
    admitted: AdmittedCall | null;
  }
}

interface IngestingRoute {
  source?: Source;
}

/** The configuration of a route that webhooks of `source` arrive at; the organization is in its path. */
export const ingests = (source: Source): IngestingRoute => ({ source });

/** Decides about webhooks, and about routes that do not exist, before a body is read. */
export function admitRequests(fastify: FastifyInstance, ingestion: IngestionService, addresses: AddressLimits): void {
  fastify.decorateRequest('admitted', null);
  fastify.addHook('onRequest', async (request) => {
    const { source } = request.routeOptions.config as IngestingRoute;
    if (source) {
      const { organizationId } = request.params as { organizationId: string };
      request.admitted = await ingestion.admit(source, organizationId, request);
    } else if (request.is404) {
      await addresses.check({ address: addresses.addressOf(request.headers, request.socket.remoteAddress) });
      throw notFound('Route');
    }
  });
}
