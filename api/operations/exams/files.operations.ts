import { maxExamFiles } from '../../../domain/exams/limits';
import { requireExamFileCapacity, storeExamFile } from '../../../domain/exams/storeExamFile';
import { operation } from '../../http/operation';
import { examParams } from './exams.schemas';
import { presentFile } from './files.presenter';
import { storedFileSchema } from './files.schemas';

export const files = [
  operation({
    method: 'POST',
    path: '/exams/:id/files',
    operationId: 'uploadExamFile',
    tag: 'Exams (coding)',
    access: { key: 'exams:write' },
    summary: 'Upload a file of a coding exam: a starter, sample tests, or encrypted hidden tests.',
    description:
      'multipart/form-data with one part, `file`; at most 50 MiB unless agreed otherwise. What is answered as `file` goes into ' +
      `\`code_spec\`, of this or another exam. A closed exam takes none, and none takes more than ${maxExamFiles}: conflict.`,
    request: { params: examParams, upload: { description: 'The file, with a filename.' } },
    response: storedFileSchema,
    errors: ['not_found', 'conflict', 'file_too_large'],
    transaction: 'own',
    audit: { created: 'ref' },
    handle: async ({ params, upload, reads, domain, caller, commit }) => {
      await requireExamFileCapacity(reads, params.id);
      const file = await upload.receive();
      const now = new Date();
      return storeExamFile(domain, { ...caller, now }, params.id, file, (work) => commit(async (tx) => presentFile(await work(tx)), now));
    },
  }),
];
