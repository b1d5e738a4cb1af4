import { Global, Module } from '@nestjs/common';
import { InFlightRequests } from './in-flight-requests.js';
import { RequestTurns } from './request-turns.js';

/** The requests in flight of both protocols, and their turns. */
@Global()
@Module({ providers: [InFlightRequests, RequestTurns], exports: [InFlightRequests, RequestTurns] })
export class LoadModule {}
