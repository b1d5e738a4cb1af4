import { Module } from '@nestjs/common';
import { ThrottlesModule as AcceptingModule } from '@spooled/service';
import { ThrottlesController } from './throttles.controller.js';
import { ThrottlesService } from './throttles.service.js';

@Module({ imports: [AcceptingModule], controllers: [ThrottlesController], providers: [ThrottlesService] })
export class ThrottleRoutesModule {}
