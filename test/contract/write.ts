import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkers } from './markers';
import { root, statements } from './statements';
import { contractTable } from './table';

writeFileSync(join(root, 'docs/contract.md'), contractTable(statements, readMarkers().proofs));
