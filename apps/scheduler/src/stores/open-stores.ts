import type { ServiceContext } from '@spooled/platform';
import type { SchedulerMetrics, SchedulerSettings } from '../scheduler.config.js';

export type SchedulerService = ServiceContext<SchedulerSettings, SchedulerMetrics>;
