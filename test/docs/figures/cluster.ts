import { figuresIn } from '../../support/figures';

const [other5xx = 0, noWrite = 0] = figuresIn('test/cluster/trial.ts', /other5xxSeconds = (\d+), noWriteSeconds = (\d+)/);

/** Of the page about several machines. */
export const clusterFigures: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/cluster.md': [`came for longer than ${other5xx} s`, `written for longer than ${noWrite} s`],
};

/** What was seen there, on a day. */
export const clusterExamples: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/cluster.md': [
ROWS
  ],
};
