import type { PointsRow } from '../../../db/repositories/alpha/points';
import type { AlphaStudentRow } from '../../../db/repositories/alpha/students';
import { isoOrNull } from '../../http/request/fields';
import type { PointsEntryResponse, PointsStatsResponse } from './points.schemas';

/** An entry of the points' ledger. */
export function presentPoints({ id, student_id, points, balance, note, ref, created_at }: PointsRow): PointsEntryResponse {
  return { id, student_id, points, balance, note, ref, created_at: created_at.toISOString() };
}

/** The stored counters of a student's points. */
export function presentStats({ points, points_earned, points_deducted, last_number }: AlphaStudentRow, lastAwardedAt: Date | null): PointsStatsResponse {
  return {
    balance: points,
    earned: points_earned,
    deducted: points_deducted,
    awards: last_number ?? 0,
    last_awarded_at: isoOrNull(lastAwardedAt),
  };
}
