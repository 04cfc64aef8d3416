/** Ids that are well formed and belong to nothing, by the name of the path parameter. */
const unknownId = (parameter: string): string => `${parameter.toLowerCase()}_01jd4k6f2mep2s5xg5yhc8m1zz`;

/** A record's path with values for its parameters; without them, ids of nothing. */
export function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? unknownId(name)));
}

/** The parameters of a record's path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
