import { Global, Module } from '@nestjs/common';
import { RequestsUnderWay } from './in-flight-requests.js';

/** How much the process has to do, for both of its doors. */
@Global()
@Module({ providers: [RequestsUnderWay], exports: [RequestsUnderWay] })
export class LoadModule {}
