import { Controller, Get, Req, Res } from '@nestjs/common';
import { badRequest } from '@spooled/domain';
import { rateHeaders } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from '../streams/admission.service.js';

/** Requests to the WebSocket's path without an upgrade. */
@Controller('api/v1/ws')
export class WebSocketController {
  constructor(private readonly admission: Admission) {}

  @Get()
  async refuse(@Req() { raw }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<never> {
    await this.admission.identify(raw, 'websocket', (rate) => void reply.headers(rateHeaders(rate)));
    throw badRequest('This route requires a WebSocket: send "Connection: Upgrade" and "Upgrade: websocket"');
  }
}
