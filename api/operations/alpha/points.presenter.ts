import type { PointsRow } from '../../../db/repositories/alpha/points';
import type { AlphaStanding, StudentPoints } from '../../../domain/alpha/readAlphaStudent';
import { isoOrNull, presentPage, type Paging } from '../../http/request/fields';
import type { PointsEntryResponse, PointsStatsResponse, StudentPointsResponse } from './points.schemas';

/** An entry of the points' ledger. */
export function presentPoints({ id, student_id, points, balance, note, ref, created_at }: PointsRow): PointsEntryResponse {
  return { id, student_id, points, balance, note, ref, created_at: created_at.toISOString() };
}

/** The counters of a student's points, which are kept and never summed up. */
export function presentStats({ standing: { points, points_earned, points_deducted, last_number }, lastAwardedAt }: AlphaStanding): PointsStatsResponse {
  return {
    balance: points,
    earned: points_earned,
    deducted: points_deducted,
    awards: last_number ?? 0,
    last_awarded_at: isoOrNull(lastAwardedAt),
  };
}

/** The counters of a student's points and one page of their ledger. */
export function presentStudentPoints(read: StudentPoints, page: Paging): StudentPointsResponse {
  return { student_id: read.studentId, stats: presentStats(read), ledger: presentPage(read.ledger, page, presentPoints) };
}
