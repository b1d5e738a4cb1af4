import { Global, Module } from '@nestjs/common';
import { InFlightRequests } from './in-flight-requests.js';
import { ListTurns } from './list-turns.js';
import { RequestTurns } from './request-turns.js';

/** The requests in flight of both protocols, and the turns of requests and of large lists. */
@Global()
@Module({
  providers: [InFlightRequests, RequestTurns, ListTurns],
  exports: [InFlightRequests, RequestTurns, ListTurns],
})
export class LoadModule {}
