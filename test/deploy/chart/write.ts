import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../local/projectRoot';
import { chartFiles } from './chartFiles';

for (const [path, text] of chartFiles()) writeFileSync(join(projectRoot(), path), text);
