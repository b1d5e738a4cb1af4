import { applyDecorators, Inject, Injectable, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { type Clock, TenantSlots } from '@spooled/domain';
import { METRICS, type Metrics, SETTINGS } from '@spooled/platform';
import { CLOCK, UnsentBytes } from '@spooled/service';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { z } from 'zod';
import type { GatewaySettings } from '../gateway.config.js';
import { ListResponse } from '../http/routes.js';
import { ownerOfRequest } from './share-owner.js';
import { unreadResponses } from './unsent-responses.js';

/** Rows, texts and body of a list are up to 24 MB. One organization makes two at once. */
const listsAtOnce = 4;
/** Callers retry later rather than hold a request in flight. */
const longestTurnMs = 1_000;
/** Less capacity for unread bytes is too little to begin a list. */
const expectedBytes = 2_097_152;

/**
 * Lists of documents are made in turns of organizations (BX-03). The size of a list is known only afterwards, and 25 connections
 * made 25 lists at once, which took 400 MB. A list without a turn in time, or without capacity for unread bytes, gets 503.
 */
@Injectable()
export class ListTurns implements NestInterceptor {
  private readonly slots: TenantSlots;

  constructor(
    private readonly unsent: UnsentBytes,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    @Inject(CLOCK) clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics<ProductMetrics>,
  ) {
    this.slots = new TenantSlots({
      slots: listsAtOnce,
      maxWaitMs: longestTurnMs,
      clock,
      refusal: () => this.refusal(),
    });
  }

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const owner = ownerOfRequest(request, this.settings);
    const make = (): Promise<unknown> => {
      // A caller that hung up in the queue needs no list.
      if (request.raw.socket.destroyed || !this.unsent.fits(owner, expectedBytes)) throw this.refusal();
      return lastValueFrom(next.handle());
    };
    return from(this.slots.run(owner.name, make));
  }

  private refusal(): Error {
    this.metrics.requestsShed.inc({ protocol: 'rest', reason: 'unsent_bytes' });
    return unreadResponses();
  }
}

/** `ListResponse` of documents, up to 8 MB: such lists are made in turns. */
export const LargeListResponse = (row: z.ZodType): MethodDecorator =>
  applyDecorators(UseInterceptors(ListTurns) as MethodDecorator, ListResponse(row));
