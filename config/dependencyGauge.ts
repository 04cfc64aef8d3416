import { Gauge, type Registry } from 'prom-client';
import { readiness, type Dependency } from '../lib/readiness';

/** Adds a gauge to the registry that shows whether each dependency responds, as in `/readyz`. */
export function addDependencyGauge(registry: Registry, dependencies: readonly Dependency[]): void {
  new Gauge({
    name: 'dependency_up',
    help: '1 if a dependency of this process responds, as in /readyz.',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      const ready = await readiness(dependencies);
      for (const [dependency, up] of Object.entries(ready.dependencies)) this.set({ dependency }, up ? 1 : 0);
    },
  });
}
