export { projectRoot } from '../lib/projectRoot';
