import type { FillProgress } from '../../db/repositories/fills/rowFills';
import type { Domain } from '../../domain/context';
import { fillRows } from '../../domain/fills/fillRows';
import { withHeartbeats } from '../heartbeats';

/** The activity of fills. */
export interface FillActivities {
  /** Fills for a quarter of a minute, and returns how far the fill is. Idempotent: each chunk notes its position. */
  fillRows(name: string): Promise<FillProgress>;
}

/** Returns the activity of fills. */
export function createFillActivities(domain: Pick<Domain, 'database'>): FillActivities {
  return { fillRows: (name) => withHeartbeats(() => fillRows(domain, name)) };
}
