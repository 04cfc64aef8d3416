import { requestResubmission } from '../../../domain/submissions/requestResubmission';
import type { WorkflowArguments } from '../../../domain/outbox/workflows';
import { transact } from '../../../domain/transact';
import { startDescriptions } from '../../../workflows/contract';
import { systemCaller } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { submissionCalls } from '../../support/submissionCalls';

const fixture = apiFixture();
const { api, institution } = fixture;
const { newSubmission } = submissionCalls(fixture);

type OutboxRow = [name: string, workflowId: string, argument: object];

it('a request appends a notice to the outbox that says in its summary which submission it asks for; an announcement says of which exam', async () => {
  const { id, examId } = await newSubmission();
  const institutionId = institution.id;
  const outboxRows: OutboxRow[] = [];
  await transact({ ...api.api.domain, onCommitted: () => undefined }, systemCaller(institutionId), (tx) =>
    requestResubmission({ ...tx, startWorkflow: (...start) => outboxRows.push(start) }, examId, id),
  );
  const argument: WorkflowArguments['examNotification'] = { examId, institutionId, notice: 1, submissionId: id };
  expect(outboxRows).toEqual([['examNotification', `${examId}:1`, argument]]);
  const { summary } = startDescriptions.examNotification;
  expect([summary(argument), summary({ examId, institutionId, notice: 2 })]).toEqual([`Request a resubmission of ${id}, exam ${examId}`, `Notify students and guardians of ${examId}`]);
});
