type Json = Readonly<Record<string, unknown>>;

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Asks an etcd something behind the back of the source. */
export async function askEtcd<Answer = Json>(port: number, path: string, body: Json): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/v3/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

interface Found {
  readonly kvs?: readonly { readonly key: string; readonly value?: string; readonly lease?: string }[];
}

/** All keys of a server below a prefix, and what they hold. */
export async function keysOfEtcd(port: number, prefix = ''): Promise<Record<string, string>> {
  const end = prefix === '' ? '\0' : `${prefix}\uffff`;
  const range = { key: base64(prefix || '\0'), range_end: base64(end) };
  const { kvs = [] } = await askEtcd<Found>(port, 'kv/range', range);
  const text = (bytes = '') => Buffer.from(bytes, 'base64').toString();
  return Object.fromEntries(kvs.map(({ key, value }) => [text(key), text(value)]));
}

export async function putEtcd(port: number, key: string, value: string): Promise<void> {
  await askEtcd(port, 'kv/put', { key: base64(key), value: base64(value) });
}

export async function deleteEtcd(port: number, key: string): Promise<void> {
  await askEtcd(port, 'kv/deleterange', { key: base64(key) });
}
