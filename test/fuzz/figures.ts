import { readMetrics, type Metrics } from '../support/metrics';

/** What the service itself has counted. */
export interface Figures {
  /** Answers, by status. */
  byStatus: ReadonlyMap<string, number>;
  requests: number;
}

const answered = /^http_request_duration_seconds_count\{.*\bstatus="(\d+)"/;

function figuresOf(metrics: Metrics): Figures {
  const byStatus = new Map<string, number>();
  for (const [sample, count] of metrics) {
    const [, status] = answered.exec(sample) ?? [];
    if (status !== undefined) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
  }
  return { byStatus, requests: [...byStatus.values()].reduce((sum, count) => sum + count, 0) };
}

/** What an API has answered since it started, from `/metrics` on its platform listener. */
export async function readFigures(internalUrl: string): Promise<Figures> {
  return figuresOf(await readMetrics(Number(new URL(internalUrl).port)));
}

/** `200: 13402, 404: 1210` */
export const statusesOf = ({ byStatus }: Figures): string =>
  [...byStatus].sort(([one], [other]) => Number(one) - Number(other)).map(([status, count]) => `${status}: ${count}`).join(', ');
