import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppLogger } from '@spooled/platform';
import type { FastifyReply } from 'fastify';
import { toErrorResponse } from './error-answer.js';

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: AppLogger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, headers, body } = toErrorResponse(thrown, this.logger);
    void reply.status(status).headers(headers).send(body);
  }
}
