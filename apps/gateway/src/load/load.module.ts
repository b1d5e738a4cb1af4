import { Global, Module } from '@nestjs/common';
import { InFlightRequests } from './in-flight-requests.js';
import { ListTurns } from './list-turns.js';
import { RequestTurns } from './request-turns.js';
import { SearchTurns } from './search-turns.js';

/** The requests in flight of both protocols, and the turns of requests, of large lists and of searches. */
@Global()
@Module({
  providers: [InFlightRequests, RequestTurns, ListTurns, SearchTurns],
  exports: [InFlightRequests, RequestTurns, ListTurns, SearchTurns],
})
export class LoadModule {}
