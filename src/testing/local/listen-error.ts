const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken. Take another one, or 0 for a free one',
  EACCES: 'this user may not take the port. Those below 1024 are mostly reserved',
  EADDRNOTAVAIL: 'the host is no address of this machine',
  ENOTFOUND: 'the host is neither an address nor a name that is known here',
  EAI_AGAIN: 'the name of the host cannot be looked up',
};

/** The error of a server that could not begin to listen: what was asked for, and why it was refused. */
export function listenError({ host, port }: { host: string; port: number }, error: unknown): Error {
  const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  // Of what is not listed, Node's own words say more than a guess would.
  const why = reasons[code] ?? message;
  return new Error(`Port ${port} on ${host} cannot be listened on: ${why}.`, { cause: error });
}
