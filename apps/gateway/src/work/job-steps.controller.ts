import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { jobStepSchemas as schemas, rawJson, workSchemas } from '@spooled/contracts';
import type { JobStepRow } from '@spooled/data-access';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires, SignalToken } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { DocumentBody } from '../http/json-body.js';
import { idParam } from '../http/path-params.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { JobStepsService } from './job-steps.service.js';

@ApiTags('jobs')
@Controller('jobs')
export class JobStepsController {
  constructor(private readonly steps: JobStepsService) {}

  /** Not from a replica: the next attempt must see what the last one has finished. */
  @Get(':id/steps')
  @Requires('read_jobs')
  @TextResponse(schemas.jobSteps)
  async list(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Job')) id: string): Promise<string> {
    const rows = await this.steps.list(principal, id);
    return `{"steps":[${rows.map(toStep).join(',')}]}`;
  }

  @Post(':id/steps')
  @Requires('work')
  @ResponseSchema(workSchemas.success)
  async record(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(schemas.recordStepBody)) body: schemas.RecordStepBody,
  ) {
    await this.steps.record(principal, id, body);
    return { success: true };
  }

  @Post(':id/wait')
  @Requires('work')
  @ResponseSchema(schemas.waitResult)
  async wait(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(schemas.waitBody)) body: schemas.WaitBody,
  ) {
    const { isOver } = await this.steps.wait(principal, id, body);
    return { success: true, is_over: isOver };
  }

  @Post(':id/signals')
  @Requires('work')
  @ResponseSchema(schemas.signalResult)
  signal(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(schemas.signalBody)) body: schemas.SignalBody,
  ) {
    return this.steps.signal(principal, id, body);
  }

  @Post(':id/signal-urls')
  @Requires('work')
  @ResponseSchema(schemas.signalUrl)
  async signalUrl(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(schemas.signalUrlBody)) body: schemas.SignalUrlBody,
  ) {
    const { url, expiresAt } = await this.steps.signalUrl(principal, id, body);
    return { url, expires_at: expiresAt.toISOString() };
  }
}

/** Controller of signals from those who have a URL and no key. By POST only: programs that preview links read them. */
@ApiTags('jobs')
@Controller('signals')
export class SignalsController {
  constructor(private readonly steps: JobStepsService) {}

  @Post()
  @SignalToken()
  @DocumentBody()
  @Requires('work')
  @ResponseSchema(schemas.signalResult)
  take(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(schemas.signalPayload)) payload: schemas.SignalPayload,
  ) {
    const { job_id, step } = principal.signal!;
    return this.steps.signal(principal, job_id, { step, payload });
  }
}

const toStep = ({ name: step, result, ...row }: JobStepRow): string => rawJson({ step, ...row }, { result });
