import { html, type Html } from './html';
import { href, pathTo } from './consoleRequest';
import type { Option } from './filters';

/** What an endpoint is called by. */
export interface NamedEndpoint {
  id: string;
  url: string;
  description: string | null;
}

/** Returns what an endpoint is called: its description, or its URL if it has none. */
export function endpointName({ url, description }: Omit<NamedEndpoint, 'id'>): string {
  const name = description?.trim() ?? '';
  return name === '' ? url : name;
}

/** Returns the URL of an endpoint that is called by its description; null if it is called by its URL. */
const secondName = (endpoint: Omit<NamedEndpoint, 'id'>): string | null => (endpointName(endpoint) === endpoint.url ? null : endpoint.url);

/** Returns a URL or a domain that a narrow column breaks behind a slash or before a dot, and not inside a word. */
export const breakable = (address: string): Html => html`${address.split(/(?<=\/)(?!\/)|(?=\.)/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`))}`;

/** Returns a link to an endpoint by its description, and below it its URL. */
export function endpointLink(endpoint: NamedEndpoint): Html {
  const url = secondName(endpoint);
  return html`<a href="${href(pathTo.endpoint(endpoint.id))}">${url === null ? breakable(endpoint.url) : endpointName(endpoint)}</a>${url === null ? null : html`<span class="second">${breakable(url)}</span>`}`;
}

/** Returns an endpoint in a sentence: "Gradebook (https://hooks.north.example/in)". */
export function endpointText(endpoint: Omit<NamedEndpoint, 'id'>): string {
  const url = secondName(endpoint);
  return url === null ? endpoint.url : `${endpointName(endpoint)} (${url})`;
}

const longWords = (endpoint: NamedEndpoint): string => [endpointName(endpoint), secondName(endpoint)].filter((part) => part !== null).join(' — ');

/** Returns endpoints as the options of a menu, which no two share: those that would read the same have the end of their id. */
export function endpointOptions(endpoints: readonly NamedEndpoint[]): Option[] {
  const counts = new Map<string, number>();
  for (const endpoint of endpoints) counts.set(longWords(endpoint), (counts.get(longWords(endpoint)) ?? 0) + 1);
  return endpoints.map((endpoint) => [endpoint.id, (counts.get(longWords(endpoint)) ?? 0) > 1 ? `${longWords(endpoint)} (…${endpoint.id.slice(-6)})` : longWords(endpoint)]);
}
