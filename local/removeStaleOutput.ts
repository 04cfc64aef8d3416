import { join } from 'node:path';
import { projectRoot } from './projectRoot';
import { removeStaleOutput } from './staleOutput';

// Every build ends with it: `api/operations` is read as a folder.
removeStaleOutput(join(projectRoot(), 'dist', 'api'), join(projectRoot(), 'api'));
