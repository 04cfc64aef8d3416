import type { EndpointStatistics, StatisticsPeriod, StatisticsRange } from '../domain/webhooks/endpointStatistics';
import { latencyBoundsMs, latencyPercentile } from '../domain/webhooks/latency';
import { barChart, barLegend, lineChart, lineLegend } from './charts';
import { descriptionList, emptyState, section, table, type Column } from './components';
import { duration, percent, plural, shortTimeElement, shortUtc, type Times } from './format';
import { html, type Html } from './html';

/** The words for a period, and for one of its ranges. */
const words = {
  '24h': { title: 'Last 24 hours', by: 'by the hour', range: 'the hour', column: 'Hour from' },
  '30d': { title: 'Last 30 days', by: 'by 24 hours', range: 'the 24 hours', column: '24 hours from' },
} as const satisfies Record<StatisticsPeriod, unknown>;

const p50 = ({ latencies }: Pick<StatisticsRange, 'latencies'>): number | null => latencyPercentile(latencies, 0.5);
const p95 = ({ latencies }: Pick<StatisticsRange, 'latencies'>): number | null => latencyPercentile(latencies, 0.95);

/** Returns an estimated latency; of those within the first range of the histogram no more is known. */
const latency = (ms: number | null): string => (ms !== null && ms <= latencyBoundsMs[0] ? `≤ ${latencyBoundsMs[0]} ms` : duration(ms));

function rangeTitle(range: StatisticsRange): string {
  const { from, until, attempts, failures } = range;
  const counts = attempts === 0 ? 'no attempts' : `${plural(attempts, 'attempt')}, ${failures.toLocaleString('en')} failed; p50 ${latency(p50(range))}, p95 ${latency(p95(range))}`;
  return `${shortUtc(from)} to ${shortUtc(until)}: ${counts}`;
}

/** Returns a chart with the upper end of its scale, and the times at which it begins and ends. */
const figure = (title: string, legend: Html, most: string, drawn: Html, { from, until }: Pick<StatisticsRange, 'from' | 'until'>, times: Times): Html =>
  html`<figure class="chart"><figcaption><strong>${title}</strong>${legend}</figcaption><div class="scale" aria-hidden="true"><span>${most}</span><span>0</span></div>${drawn}
    <div class="axis">${shortTimeElement(from, times)}${shortTimeElement(until, times)}</div></figure>`;

function attemptsFigure(period: StatisticsPeriod, statistics: EndpointStatistics, times: Times): Html {
  const { ranges, attempts, failures } = statistics;
  const { by, range } = words[period];
  const busiest = ranges.reduce((most, next) => (next.attempts > most.attempts ? next : most));
  const label = `Attempts ${by}: ${plural(attempts, 'attempt')}, ${failures.toLocaleString('en')} failed; most in ${range} from ${shortUtc(busiest.from)}, with ${plural(busiest.attempts, 'attempt')}.`;
  const bars = ranges.map((each) => ({ succeeded: each.attempts - each.failures, failed: each.failures, title: rangeTitle(each) }));
  return figure(`Attempts ${by}`, barLegend(period), busiest.attempts.toLocaleString('en'), barChart(period, label, bars, busiest.attempts), statistics, times);
}

function latencyFigure(period: StatisticsPeriod, statistics: EndpointStatistics, times: Times): Html {
  const { by } = words[period];
  const [medians, slowest] = [statistics.ranges.map(p50), statistics.ranges.map(p95)];
  const most = Math.max(...slowest.map((value) => value ?? 0));
  if (most === 0) return html`<p class="pad faint">Its receiver never responded, so there is no latency.</p>`;
  const label = `Latency ${by}: over the whole time p50 ${latency(p50(statistics))}, p95 ${latency(p95(statistics))}; the highest p95 is ${latency(most)}.`;
  const lines = [{ name: 'p95', values: slowest }, { name: 'p50', values: medians }] as const;
  return figure(`Latency of responses ${by}`, lineLegend, latency(most), lineChart(label, lines, most), statistics, times);
}

const columns = (period: StatisticsPeriod, times: Times): readonly Column<StatisticsRange>[] => [
  { title: words[period].column, cell: ({ from }) => shortTimeElement(from, times) },
  { title: 'Attempts', cell: ({ attempts }) => attempts.toLocaleString('en'), numeric: true },
  { title: 'Failed', cell: ({ failures }) => failures.toLocaleString('en'), numeric: true },
  { title: 'p50', cell: (range) => latency(p50(range)), numeric: true },
  { title: 'p95', cell: (range) => latency(p95(range)), numeric: true },
];

/** Returns the numbers of the charts as a table, newest first. */
function numbers(period: StatisticsPeriod, { ranges }: EndpointStatistics, times: Times): Html {
  const rows = ranges.filter(({ attempts }) => attempts > 0).reverse();
  const others = ranges.length - rows.length;
  return html`<details class="numbers" id="numbers-${period}"><summary>The numbers ${words[period].by}</summary>
    ${table(`Attempts ${words[period].by}`, columns(period, times), rows, ({ from }) => `${period}-${from.getTime()}`)}
    ${others > 0 && html`<p class="faint">There were no attempts in the other ${others}.</p>`}</details>`;
}

/** Returns the attempts at an endpoint over a period: in figures, as charts, and as a table. */
export function statisticsSection(period: StatisticsPeriod, statistics: EndpointStatistics, times: Times): Html {
  const { attempts, failures } = statistics;
  const { title } = words[period];
  const key = `statistics-${period}`;
  if (attempts === 0) return section(key, title, emptyState(`There were no attempts in the ${title.toLowerCase()}.`));
  return section(key, title, html`${descriptionList(
    ['Attempts', html`<span class="big">${attempts.toLocaleString('en')}</span>`],
    ['Failed', html`<span class="big">${failures.toLocaleString('en')}</span> <span class="faint">${percent(failures, attempts)}</span>`],
    ['Latency of responses p50 (estimated)', html`<span class="big">${latency(p50(statistics))}</span>`],
    ['Latency of responses p95 (estimated)', html`<span class="big">${latency(p95(statistics))}</span>`],
  )}${attemptsFigure(period, statistics, times)}${latencyFigure(period, statistics, times)}${numbers(period, statistics, times)}`);
}
