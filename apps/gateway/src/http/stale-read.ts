import { Injectable, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { type StaleRead, staleReads } from '@spooled/data-access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, Observable, tap } from 'rxjs';

/** How far the replica that answered was behind at most, in milliseconds. */
export const replicaLagHeader = 'x-replica-lag-ms';

/**
 * A route that may be answered by a replica within its bound of staleness, and whose handler writes nothing. `Cache-Control: no-cache`
 * asks for the primary, for callers that have to see what they have just written (SP-93).
 */
export const MayBeStale = (): MethodDecorator => UseInterceptors(ReadFromReplica) as MethodDecorator;

@Injectable()
class ReadFromReplica implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    if (/\bno-cache\b/i.test(http.getRequest<FastifyRequest>().headers['cache-control'] ?? '')) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const read: StaleRead = { lagMs: null };
    const sendLag = () => read.lagMs === null || void reply.header(replicaLagHeader, String(read.lagMs));
    // What the replica does not have yet may exist: the primary decides about every refusal.
    const askPrimary = (error: unknown) => {
      if (read.lagMs === null) throw error;
      return new Observable((subscriber) => staleReads.exit(() => next.handle().subscribe(subscriber)));
    };
    return new Observable((subscriber) =>
      staleReads.run(read, () => next.handle().pipe(tap(sendLag), catchError(askPrimary)).subscribe(subscriber)),
    );
  }
}
