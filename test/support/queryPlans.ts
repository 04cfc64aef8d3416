import type { InstitutionScope } from '../../db/database';
import type { Sql } from '../../db/statement';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** What Postgres did for one statement. */
export interface ExecutedStatement {
  /** Blocks of tables and indexes that were read, from the cache or the disk. */
  blocks: number;
  /** How each table was read, in the order of the plan: `weekly_reports: Index Only Scan`. */
  scans: string[];
  /** Whether its plan is kept for the next time, for any caller. */
  isPrepared: boolean;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** A scope that runs statements as they are, each explained before, for reads alone; what was done for them is in the list. */
export function withExplain(scope: InstitutionScope): { scope: InstitutionScope; done: ExecutedStatement[] } {
  const done: ExecutedStatement[] = [];
  const sql: Sql = async <Row extends object>(query: Parameters<Sql>[0], values?: readonly unknown[]) => {
    const text = typeof query === 'string' ? query : query.text;
    const [explained] = await scope.sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    for (const { Plan: plan } of explained?.['QUERY PLAN'] ?? []) {
      const scans = nodesOf(plan).flatMap((node) => (node['Relation Name'] === undefined ? [] : [`${node['Relation Name']}: ${node['Node Type']}`]));
      done.push({ blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], scans, isPrepared: typeof query !== 'string' });
    }
    return scope.sql<Row>(query, values);
  };
  return { scope: { ...scope, sql }, done };
}
