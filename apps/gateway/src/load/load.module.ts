import { Global, Module } from '@nestjs/common';
import { InFlightRequests } from './in-flight-requests.js';

/** How much the process has to do, for both of its doors. */
@Global()
@Module({ providers: [InFlightRequests], exports: [InFlightRequests] })
export class LoadModule {}
