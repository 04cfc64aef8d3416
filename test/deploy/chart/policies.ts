import type { KubernetesObject } from '../../support/helm/objects';

/** A rule for the objects of a rendering: returns what breaks it. */
export type Policy = (objects: readonly KubernetesObject[]) => string[];

/** Rules by what they say. */
export type Policies = Readonly<Record<string, Policy>>;
