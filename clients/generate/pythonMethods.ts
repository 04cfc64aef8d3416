import { methodName } from '../../api/http/openapi/pythonNames';
import { operationsWithTag, type ApiDocument } from './apiDocument';

const introduction = `# Methods of the Python client

Each operation of the public API and its method; the async client has the same with \`await\`. \`help(client.students.create)\` describes one. Lists that take a \`cursor\` have a second method that walks them, which begins with \`iter\`; two have none, because their rows are not \`items\`: read \`submissions.list_events\` and \`licenses.list_devices\` with \`cursor\`, an empty one first, then each \`next_cursor\` until it is None. This page is made from the OpenAPI document by \`npm run generate\`.
`;

/** Returns `docs/python-methods.md`: the operations of the API with the names of their methods. */
export function pythonMethodsPage(api: ApiDocument): string {
  const sections = api.tags.map(({ name: tag }) => {
    const rows = operationsWithTag(api, tag).map((location) => {
      const { namespace, method } = methodName(location);
      return `| \`${location.method.toUpperCase()} ${location.path}\` | \`${namespace}.${method}\` |`;
    });
    return [`## ${tag}`, '', '| Operation | Method |', '|---|---|', ...rows].join('\n');
  });
  return `${[introduction, ...sections].join('\n\n').replaceAll('\n\n\n', '\n\n')}\n`;
}
