import { findErasure, type ErasureRow } from '../../db/repositories/erasure/erasures';
import { findNewestExport } from '../../db/repositories/exports/exports';
import { findExamWorkflows, findNewestNumber, type ExamWorkflows } from '../../db/repositories/support/workflowNumbers';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { erasureProgress } from '../../domain/erasure/certificate';
import { attemptExpiryWorkflowId, developerInvitationWorkflowId, erasureWorkflowId, examNoticeWorkflowId, exportWorkflowId } from '../../domain/outbox/workflows';
import type { FoundItem } from '../../domain/support/search';
import { html, type Html, type HtmlValue } from '../html';
import { badge, idLink, workflowLink } from '../components';
import { timeElement, type Times } from '../format';
import type { ConsoleRequest } from '../consoleRequest';
import { invitationWorkflow } from './workflowState';

type Row = readonly [name: string, value: HtmlValue];

type WorkflowsOf = (request: ConsoleRequest, scope: InstitutionScope, id: string, times: Times) => Promise<Row[]>;

function noticeState({ notice_kept, notice_ended_at }: ExamWorkflows, times: Times): Html {
  if (!notice_kept) return html`<span class="second">ended more than 30 days ago</span>`;
  return notice_ended_at === null ? html`<span class="second">not ended yet</span>` : html`<span class="second">ended</span> ${timeElement(notice_ended_at, times)}`;
}

const ofExam: WorkflowsOf = async (request, scope, id, times) => {
  const found = await findExamWorkflows(scope, id);
  if (found === undefined) return [];
  const { notice, expiry_run, expiry_open } = found;
  return [
    ['Newest emails', notice === 0 ? 'none yet' : html`${workflowLink(request, examNoticeWorkflowId(id, notice))}${noticeState(found, times)}`],
    ...(expiry_run === null ? [] : [['Ends attempts', html`${workflowLink(request, attemptExpiryWorkflowId(id, expiry_run))}<span class="second">${expiry_open === true ? 'waits' : 'ended'}</span>`] as const]),
  ];
};

function erasureText(request: ConsoleRequest, personId: string, erasure: ErasureRow, times: Times): Html {
  const { done, total } = erasureProgress(erasure);
  const { ended_at, requested_at, number, kind, removed } = erasure;
  const links = removed.guardian_links?.count ?? 0;
  const certificate = kind === 'guardian' ? null : html`<span class="second">the school reads its certificate with its own key: <code>GET /v1/${kind === 'student' ? 'students' : 'faculty'}/${personId}/erasure</code></span>`;
  return html`${badge(ended_at === null ? 'running' : 'done')} ${timeElement(ended_at ?? requested_at, times)}<span class="second">${done} of ${total} steps</span>${links === 0 ? null : html`<span class="second">${links === 1 ? 'the link of 1 guardian' : `the links of ${links} guardians`} went with it; a guardian without another link in this school was deleted</span>`}${certificate}<span class="second">${workflowLink(request, erasureWorkflowId(personId, number))}</span>`;
}

/** A person's newest export and erasure, if there has been one. */
const ofPerson: WorkflowsOf = async (request, scope, id, times) => {
  const [exported, erased] = await Promise.all([findNewestExport(scope, id), findErasure(scope, id)]);
  return [
    ...(exported === undefined ? [] : [['Newest export', html`${badge(exported.status)} ${idLink(exported.id)}<span class="second">${workflowLink(request, exportWorkflowId(id, exported.number))}</span>`] as const]),
    ...(erased === undefined ? [] : [['Erasure', erasureText(request, id, erased, times)] as const]),
  ];
};

/** Who can say who has read a person's data: the school, with a key of its own. */
const readBy = (people: 'students' | 'faculty'): WorkflowsOf => async (request, scope, id, times) => [
  ...(await ofPerson(request, scope, id, times)),
  ['Who has read it', html`not shown here: the school asks with its own key, <code>GET /v1/${people}/${id}/disclosures</code>; operators ask <code>institution disclosures ${id}</code>`],
];

const ofDeveloper: WorkflowsOf = async (request, scope, id, times) => {
  const number = await findNewestNumber(scope.sql, 'dev', id);
  return number === undefined ? [] : [['Newest invitation', await invitationWorkflow(request, developerInvitationWorkflowId(id, number), times)]];
};

const workflowsOf: Readonly<Record<string, WorkflowsOf>> = { exam: ofExam, student: readBy('students'), 'faculty member': readBy('faculty'), guardian: ofPerson, developer: ofDeveloper };

/** Returns the newest workflows of an exam or a person, each with its state and its page in Temporal's Web UI; of a student and a faculty member also who can say who has read their data. */
export async function workflowRows(request: ConsoleRequest, { kind, id, institution_id }: FoundItem, times: Times): Promise<Row[]> {
  if (institution_id === null) return [];
  return (await workflowsOf[kind]?.(request, institutionScope(request.deps.domain.database, institution_id), id, times)) ?? [];
}
