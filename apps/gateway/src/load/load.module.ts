import { Global, Module } from '@nestjs/common';
import { RequestsUnderWay } from './requests-under-way.js';

/** How much the process has to do, for both of its doors. */
@Global()
@Module({ providers: [RequestsUnderWay], exports: [RequestsUnderWay] })
export class LoadModule {}
