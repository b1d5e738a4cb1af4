import { rateHeaders } from '@spooled/service';
import type { RateLimitResult } from '@spooled/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedCall } from './ingestion-admission.js';
import type { IngestionService, Source } from './ingestion.service.js';

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

/** Decides about webhooks before their bodies are read. @throws SpooledError 429, 400, 404, 401, 503 */
export async function admitWebhook(
  ingestion: Pick<IngestionService, 'admit'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { source } = request.routeOptions.config as IngestingRoute;
  if (!source) return;
  const { organizationId } = request.params as { organizationId: string };
  const onRate = (rate: RateLimitResult) => void reply.headers(rateHeaders(rate));
  request.admitted = await ingestion.admit(source, organizationId, request, onRate);
}
