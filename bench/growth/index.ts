import type { BenchEnvironment } from '../environment';
import { rounded } from '../statistics';
import { benchWebhooks } from '../webhooks';
import { fill } from './fill';
import { keepFilled, readFilled } from './kept';
import { benchReads } from './reads';
import { benchRetention } from './retention';
import { readGrowthSize } from './size';
import { benchWalk } from './walk';

/** The webhook scenarios that run on empty tables, and again on full ones. */
const scenarios = ['steady-50', 'steady-200', 'backlog'];

const maxRatio = 1.15;

type Line = Readonly<Record<string, unknown>>;

/** The webhook scenarios, by their names. */
async function* onTables(environment: BenchEnvironment, tables: 'empty' | 'full'): AsyncGenerator<Line> {
  for await (const line of benchWebhooks(environment, scenarios, `${tables}-`)) yield { ...line, tables };
}

/** How many times a figure of the empty tables the full ones have; of what is done in a second the other way round. */
function compare(empty: Line, full: Line): Line {
  const ratio = (name: string, isRate = false): Line => {
    const [before, after] = [empty[name], full[name]];
    if (typeof before !== 'number' || typeof after !== 'number') return {};
    return { [`${name}_ratio`]: rounded(isRate ? before / after : after / before) };
  };
  const isSteady = String(empty.bench).includes('steady');
  const ratios = isSteady ? { ...ratio('p50_ms'), ...ratio('p99_ms') } : ratio('deliveries_per_s', true);
  return {
    bench: `growth: ${String(empty.bench)}, full tables against empty ones`,
    ...ratios,
    bound: maxRatio,
    met: Object.keys(ratios).length > 0 && Object.values(ratios).every((value) => typeof value === 'number' && value <= maxRatio),
  };
}

/**
 * Fills the tables as years do, and measures what must not become slower by it: webhooks, lists, counts, walks, and retention.
 * Kept stores that an earlier run has filled are measured as they are; nothing is compared with empty ones then, and nothing deleted.
 */
export async function* benchGrowth(environment: BenchEnvironment): AsyncGenerator<object> {
  const kept = readFilled(environment);
  if (kept !== null) {
    yield* onTables(environment, 'full');
    yield* benchReads(environment, kept.filled, kept.students);
    yield await benchWalk(environment, kept.filled, kept.students);
    return;
  }
  const size = readGrowthSize();
  const empty: Line[] = [];
  for await (const line of onTables(environment, 'empty')) {
    empty.push(line);
    yield line;
  }
  const { filled, line: filling } = await fill(environment, size);
  yield filling;
  keepFilled(environment, { filled, students: size.students });
  let nth = 0;
  for await (const line of onTables(environment, 'full')) {
    yield line;
    yield compare(empty[nth] ?? {}, line);
    nth += 1;
  }
  yield* benchReads(environment, filled, size.students);
  yield await benchWalk(environment, filled, size.students);
  // Last: what it leaves to be vacuumed would disturb the others.
  yield* benchRetention(environment, filled, size.pruned);
}
