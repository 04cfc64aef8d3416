/** A browser's part of a sign-in, without a browser: it keeps cookies by origin and follows redirects by hand. */
class Cookies {
  private readonly byOrigin = new Map<string, Map<string, string>>();

  of(origin: string): string {
    return [...(this.byOrigin.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(origin: string, headers: Headers): void {
    const kept = this.byOrigin.get(origin) ?? new Map<string, string>();
    this.byOrigin.set(origin, kept);
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') kept.delete(name);
      else kept.set(name, value);
    }
  }
}

interface Answer {
  status: number;
  url: URL;
  text: string;
}

/**
 * Signs in to the console with the test's identity provider, as a browser does: by the link of the form, the provider's own two forms,
 * and its redirect. Returns the cookies of the session; throws where the console does not let the person in.
 */
export async function signInByProvider(consoleOrigin: string, sub: string): Promise<string> {
  const cookies = new Cookies();
  const send = async (url: URL, form?: URLSearchParams): Promise<Answer> => {
    const response = await fetch(url, { method: form === undefined ? 'GET' : 'POST', redirect: 'manual', headers: { cookie: cookies.of(url.origin) }, ...(form === undefined ? {} : { body: form }) });
    cookies.keep(url.origin, response.headers);
    const text = await response.text();
    const location = response.headers.get('location');
    return location === null ? { status: response.status, url, text } : send(new URL(location, url));
  };
  const submit = ({ url, text }: Answer, fields: Record<string, string>): Promise<Answer> => {
    const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(text) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(text) ?? [];
    return send(new URL(action.replaceAll('&amp;', '&'), url), new URLSearchParams({ prompt, ...fields }));
  };
  const login = await send(new URL('/console/sign-in/start?next=/console/institutions', consoleOrigin));
  const consent = await submit(login, { login: sub, password: 'any' });
  const done = await submit(consent, {});
  const session = cookies.of(consoleOrigin);
  if (done.status !== 200 || !session.includes('console_session=')) throw new Error(`Not signed in to the console: ${done.status} ${done.url.pathname} ${done.text.replaceAll(/<[^>]+>|\s+/g, ' ').slice(0, 300)}`);
  return session;
}
