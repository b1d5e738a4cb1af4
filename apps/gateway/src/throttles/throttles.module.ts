import { Module } from '@nestjs/common';
import { ThrottlesModule as AcceptingModule } from '@spooled/service';
import { ThrottlesController } from './throttles.controller.js';

@Module({ imports: [AcceptingModule], controllers: [ThrottlesController] })
export class ThrottleRoutesModule {}
