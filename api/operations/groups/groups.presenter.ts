import type { ExamSummaryRow } from '../../../db/repositories/exams/columns';
import type { GroupMemberRow } from '../../../db/repositories/groups/members';
import type { GroupRow } from '../../../db/repositories/groups/groups';
import type { ChangedGroup } from '../../../domain/groups/namedMembers';
import { presentExamSummary } from '../exams/exams.presenter';
import type { GroupResponse, ChangedGroupResponse, GroupDetailsResponse } from './groups.schemas';

/** A group (section Group). */
export function presentGroup(row: GroupRow): GroupResponse {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    faculty_id: row.faculty_id,
    member_count: row.member_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A group after a call that may name members, with the skipped ones. */
export const presentChangedGroup = ({ skipped, ...row }: ChangedGroup): ChangedGroupResponse => ({ ...presentGroup(row), skipped });

/** The data of `GET /groups/{id}`: the newest exams, and their total number. */
export interface GroupDetails {
  group: GroupRow;
  members: readonly GroupMemberRow[];
  exams: { rows: readonly ExamSummaryRow[]; total: number };
}

/** A group with its members and assigned exams; the count is the number of members shown. */
export function presentGroupDetails({ group, members, exams }: GroupDetails): GroupDetailsResponse {
  return {
    ...presentGroup({ ...group, member_count: members.length }),
    members: members.map(({ id, login_email, full_name, status }) => ({ id, login_email, full_name, status })),
    exams: exams.rows.map(presentExamSummary),
    exam_count: exams.total,
  };
}
