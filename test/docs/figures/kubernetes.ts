import { figuresIn, textsIn } from '../../support/figures';

const ofValues = (name: string): number => figuresIn('deploy/helm/values.yaml', new RegExp(`${name}: (\\d+)`))[0] ?? Number.NaN;

/** Sentences of the page on Kubernetes with the figures that the chart has now. */
export const kubernetesFigures: Record<string, readonly string[]> = {
  'docs/operations/kubernetes.md': [
    `Kubernetes ${textsIn('deploy/helm/Chart.yaml', /kubeVersion: ">=([\d.]+)\.0-0"/).join('')} or later, Helm 3, and`,
    `use ${ofValues('cpuPercent')} % of a core`,
    `wait for over ${ofValues('scheduleToStartSeconds')} s (95th`,
    `event waits for over ${ofValues('eventQueueAgeSeconds')} s.`,
    `waits ${ofValues('preStopSeconds')} s, and then`,
    `The chart gives ${ofValues('SHUTDOWN_TIMEOUT_MS') / 1_000} s, more than`,
  ],
};
