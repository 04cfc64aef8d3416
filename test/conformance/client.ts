/** An answer in the shape of the contract: `data` of a success, `error` of an error response. */
export interface ClientResponse {
  status: number;
  requestId: string | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a client names the fields that the contract promises
  data: any;
  error?: string;
}

/** A client that knows a base URL, a token, and what the contract says. */
export interface Client {
  call(method: string, path: string, body?: object): Promise<ClientResponse>;
  /** A multipart upload, its part named `file`, with text parts besides. */
  upload(path: string, filename: string, bytes: Uint8Array, fields?: Record<string, string>): Promise<ClientResponse>;
  /** A call that must succeed. */
  callSuccessfully(method: string, path: string, body?: object): Promise<ClientResponse['data']>;
}

export function createClient(baseUrl: string, token?: string): Client {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string | FormData): Promise<ClientResponse> => {
    const response = await fetch(baseUrl + path, { method, headers: { ...authorization, ...headers }, ...(body === undefined ? {} : { body }) });
    const answer: { success: boolean; data?: unknown; error?: string } = JSON.parse(await response.text());
    if (answer.success !== response.ok) throw new Error(`${method} ${path} answered ${response.status} with success ${answer.success}`);
    return { status: response.status, requestId: response.headers.get('x-request-id'), data: answer.data, ...(answer.error === undefined ? {} : { error: answer.error }) };
  };
  const call: Client['call'] = (method, path, body) =>
    body === undefined ? send(method, path, {}) : send(method, path, { 'content-type': 'application/json' }, JSON.stringify(body));
  return {
    call,
    upload: (path, filename, bytes, fields = {}) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob([Buffer.from(bytes)]), filename);
      return send('POST', path, {}, form);
    },
    callSuccessfully: async (method, path, body) => {
      const { status, data, error, requestId } = await call(method, path, body);
      if (status !== 200) throw new Error(`${method} ${path} answered ${status} ${error} (${requestId})`);
      return data;
    },
  };
}

/** The bytes behind a signed URL: anybody may fetch it, without a header. */
export async function download(url: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(url);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}
