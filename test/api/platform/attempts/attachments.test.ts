import { appFixture } from '../../../support/appFixture';
import { seedAttemptFile } from '../../../support/seed/files';

const fixture = appFixture();
const { institution, call, studentWithAttempt, submit } = fixture;

const file = (attemptId: string, filename = 'upload.bin') => seedAttemptFile(fixture.api, institution, attemptId, { filename });
const issuesOf = async (attachments: (attemptId: string) => Promise<{ file: { id: string }; name: string }[]>): Promise<{ path: string; message: string }[]> => {
  const { who, attemptId } = await studentWithAttempt();
  return (await submit(who, attemptId, { attachments: await attachments(attemptId) })).body.issues;
};

it('two attachments of one name: the later one is named, and what is wrong with it', async () => {
  const issues = await issuesOf(async (attemptId) => [
    { file: { id: await file(attemptId) }, name: 'essay.pdf' },
    { file: { id: await file(attemptId) }, name: ' essay.pdf ' },
    { file: { id: await file(attemptId) }, name: 'sketch.png' },
    { file: { id: await file(attemptId) }, name: 'essay.pdf' },
  ]);
  expect(issues).toEqual([1, 3].map((nth) => ({ path: `attachments.${nth}.name`, message: 'name is already the name of another attachment' })));
});

it('one file twice: the later one is named, and what is wrong with it', async () => {
  const issues = await issuesOf(async (attemptId) => {
    const id = await file(attemptId);
    return [{ file: { id }, name: 'essay.pdf' }, { file: { id }, name: 'copy.pdf' }];
  });
  expect(issues).toEqual([{ path: 'attachments.1.file.id', message: 'id is already attached under another name' }]);
});

it('an unknown file twice is one problem each time', async () => {
  const issues = await issuesOf(() => Promise.resolve(['a', 'b'].map((name) => ({ file: { id: 'file_01jd4k6f2mep2s5xg5yhc8m1zz' }, name }))));
  expect(issues.map(({ path }) => path)).toEqual(['attachments.0.file.id', 'attachments.1.file.id']);
});

it('an attachment is downloaded under its name, regardless of the name of its upload', async () => {
  const { who, attemptId } = await studentWithAttempt();
  const names = ['essay.pdf', 'Skizze ü.png'];
  const attachments = [];
  for (const name of names) attachments.push({ file: { id: await file(attemptId, 'tmp-4711.upload') }, name });
  const { id } = (await submit(who, attemptId, { attachments })).data;
  const { data } = await call('GET', `/submissions/${id}`);
  const dispositions = [];
  const { api } = fixture;
  for (const { url } of data.attachments) dispositions.push((await fetch(url.replace(api.settings.publicBaseUrl, api.baseUrl))).headers.get('content-disposition'));
  expect(dispositions).toEqual(['attachment; filename="essay.pdf"', "attachment; filename=\"Skizze _.png\"; filename*=UTF-8''Skizze%20%C3%BC.png"]);
});
