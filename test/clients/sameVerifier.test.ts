import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasValidSignature } from '../../clients/typescript/src/hasValidSignature';
import { codeBlock } from '../support/documents';
import { vectors } from '../vectors/webhook-signatures.json';

it('the client\'s verifier is, word by word, the one of docs/webhooks.md, which the vectors and real deliveries are held against', () => {
  expect(readFileSync(join(__dirname, '../../clients/typescript/src/hasValidSignature.ts'), 'utf8')).toBe(codeBlock('docs/webhooks.md', 'hasValidSignature.ts'));
});

it.each(vectors)('the client accepts the vector "$name", and no other body', ({ secret, timestamp, body, x_svc_signature: header }) => {
  const verdicts = [body, `${body} `].map((sent) => hasValidSignature(Buffer.from(sent), header, secret, timestamp));
  expect(verdicts).toEqual([true, false]);
});
