import { Global, Module } from '@nestjs/common';
import { InFlightRequests } from './in-flight-requests.js';

/** The requests in flight of both protocols. */
@Global()
@Module({ providers: [InFlightRequests], exports: [InFlightRequests] })
export class LoadModule {}
