/** Usage of one resource against its limit, as returned to callers. */
export interface UsageItem {
  current: number;
  /** null = unlimited. */
  limit: number | null;
  percentage: number | null;
  /** The plan does not include the resource. */
  is_disabled: boolean;
}

export interface UsageWarning {
  resource: string;
  message: string;
  severity: 'warning' | 'critical';
}

export function usageItem(current: number, limit: number | null): UsageItem {
  const percentage = limit === null || limit === 0 ? null : (current / limit) * 100;
  return { current, limit, percentage, is_disabled: limit === 0 };
}

/** Warnings from 50 % on the free plan and from 80 % on the others; critical when nothing is left. */
export function usageWarnings(tier: string, usage: Record<string, UsageItem>): UsageWarning[] {
  const threshold = tier === 'free' ? 50 : 80;
  const warnings: UsageWarning[] = [];
  for (const [resource, { current, limit, percentage }] of Object.entries(usage)) {
    if (percentage === null || percentage < threshold) continue;
    const critical = percentage >= 100;
    const message = critical
      ? `${resource} limit reached (${current}/${limit})`
      : `${resource} is at ${Math.floor(percentage)}% of its limit (${current}/${limit})`;
    warnings.push({ resource, message, severity: critical ? 'critical' : 'warning' });
  }
  return warnings;
}
