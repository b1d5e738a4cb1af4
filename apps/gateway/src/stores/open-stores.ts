import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics, ServiceContext } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';

export type GatewayService = ServiceContext<GatewaySettings, Metrics<ProductMetrics>>;
