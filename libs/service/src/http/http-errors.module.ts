import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorFilter } from './error.filter.js';
import { RouteMethods } from './route-methods.js';

/** Errors of every HTTP service in the format of the API. */
@Module({ providers: [RouteMethods, { provide: APP_FILTER, useClass: ErrorFilter }] })
export class HttpErrorsModule {}
