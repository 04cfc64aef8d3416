import { appFixture } from '../../../support/appFixture';

const { signedInStudent, examFor, callAs } = appFixture();

// Contract: exams.proctoring.grants-before-opening, exams.ai-policy.allowed, exams.ai-policy.model-tier, exams.ai-policy.max-interactions-per-attempt
it('the app shows what a student must grant, and the AI policy, before the exam is opened', async () => {
  const proctoring = { camera: true, microphone: false, screen: true };
  const ai_policy = { allowed: true, model_tier: 'local', max_interactions: 25 };
  const who = await signedInStudent();
  const { id } = await examFor([who], { proctoring, ai_policy });
  const { data } = await callAs(who, 'GET', '/app/exams');
  expect(data.items).toMatchObject([{ id, proctoring, ai_policy, attempt: null }]);
  expect((await callAs(who, 'GET', `/app/exams/${id}`)).data).toMatchObject({ id, proctoring, ai_policy, attempt: null });
});
