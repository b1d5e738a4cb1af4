import type { IncomingMessage } from 'node:http';
import { Controller, Get, Req } from '@nestjs/common';
import { badRequest } from '@spooled/domain';
import { Admission } from '../streams/admission.service.js';

/** Requests to the WebSocket's path without an upgrade. */
@Controller('api/v1/ws')
export class WebSocketController {
  constructor(private readonly admission: Admission) {}

  @Get()
  async refuse(@Req() { raw }: { raw: IncomingMessage }): Promise<never> {
    await this.admission.identify(raw, 'websocket');
    throw badRequest('This route requires a WebSocket: send "Connection: Upgrade" and "Upgrade: websocket"');
  }
}
