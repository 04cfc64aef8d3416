import type { TestApi } from './api';
import { requireNoLeak } from './leaks';
import { addStaffMember } from './staff';

/** What a page answered. */
export interface ConsoleResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** A session of the console, as a browser has it. */
export interface ConsoleSession {
  cookie: string;
  /** The hidden fields of every form of this session. */
  formToken: string;
  get(path: string, headers?: Record<string, string>): Promise<ConsoleResponse>;
  /** Sends a form with the token of the session unless another is given, and follows nothing. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<ConsoleResponse>;
  /** Sends a form, and returns the page that it redirects to, with its message. */
  postAndFollow(path: string, fields?: Record<string, string>): Promise<ConsoleResponse & { path: string }>;
}

/** The origin of the console's listener. */
export const consoleOrigin = ({ platformUrl }: TestApi): string => new URL(platformUrl).origin;

/** A new token is shown once, by the answer to the form that creates it. */
const withoutNewToken = (method: string, path: string, text: string): string =>
  method === 'POST' && /^\/console\/staff\/\w+\/tokens$/.test(path) ? text.replace(/(id="staff-token">)svc_staff_[\w-]{43}</, '$1<') : text;

/** A request to the console without a session. */
export async function requestConsole(api: TestApi, method: string, path: string, sent: { headers?: Record<string, string>; form?: Record<string, string> } = {}): Promise<ConsoleResponse> {
  const response = await fetch(consoleOrigin(api) + path, {
    method,
    redirect: 'manual',
    headers: sent.headers ?? {},
    ...(sent.form === undefined ? {} : { body: new URLSearchParams(sent.form) }),
  });
  const text = await response.text();
  requireNoLeak(`The console, for ${method} ${path},`, withoutNewToken(method, path, text));
  return { status: response.status, headers: response.headers, text };
}

/** The `name=value` of the cookies that a response sets. */
export const cookiesOf = ({ headers }: ConsoleResponse): string[] => headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');

/** Signs in as a person of the staff, who is added for it unless their token is given. */
export async function signInToConsole(api: TestApi, token?: string): Promise<ConsoleSession> {
  const answer = await requestConsole(api, 'POST', '/console/sign-in', { form: { token: token ?? (await addStaffMember(api)).token } });
  const cookie = cookiesOf(answer).join('; ');
  const get: ConsoleSession['get'] = (path, headers = {}) => requestConsole(api, 'GET', path, { headers: { cookie, ...headers } });
  const formToken = /name="form_token" value="([^"]+)"/.exec((await get('/console/institutions')).text)?.[1] ?? '';
  const post: ConsoleSession['post'] = (path, fields = {}, headers = {}) =>
    requestConsole(api, 'POST', path, { form: { form_token: formToken, ...fields }, headers: { cookie, ...headers } });
  return {
    cookie,
    formToken,
    get,
    post,
    postAndFollow: async (path, fields = {}) => {
      const done = await post(path, fields);
      const to = done.headers.get('location') ?? '';
      const flash = cookiesOf(done).filter((pair) => pair.startsWith('console_flash'));
      return { ...(await get(to, { cookie: [cookie, ...flash].join('; ') })), path: to };
    },
  };
}
